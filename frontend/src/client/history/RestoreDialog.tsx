import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Lead } from '@/components/forms/layout'
import { Skeleton } from '@/components/Skeleton'
import { toast } from '@/components/toast'
import { formatDateTime } from '@/i18n/format'
import { post } from '../api'
import { Failure } from '../Failure'
import { FormDialog } from '../FormDialog'
import { useErrorText } from '../use-call'

type Props = {
  space: string
  paths: string[]
  moment: { sequence: number; time: number }
  onClose: () => void
  onDone: () => void
}

/** Says what a restore changes before it happens. */
export function RestoreDialog({ space, paths, moment, onClose, onDone }: Props) {
  const { t } = useTranslation('client')
  const textOf = useErrorText()
  const body = { space, paths, sequence: moment.sequence }
  const { data, error } = useQuery({
    queryKey: ['restore', body],
    queryFn: () => post('/restore', { ...body, isPreview: true }),
    gcTime: 0,
  })
  const isEqual = data?.restored === 0 && data.removed === 0
  return (
    <FormDialog
      title={t('restore.title', { time: formatDateTime(moment.time) })}
      submit={t('versions.restore')}
      disabled={!data || isEqual}
      onClose={onClose}
      onSubmit={async () => {
        const { restored } = await post('/restore', { ...body, isPreview: false })
        toast.success(t('trash.restored', { count: restored }))
        onDone()
      }}
    >
      {data ? (
        <Lead>
          {isEqual ? t('restore.equal') : null}
          {data.restored > 0 ? t('restore.back', { count: data.restored }) : null}{' '}
          {data.removed > 0 ? t('restore.gone', { count: data.removed }) : null}
        </Lead>
      ) : error ? (
        <Failure text={textOf(error)} />
      ) : (
        <Skeleton label={t('history.loading')} heights={[48]} />
      )}
    </FormDialog>
  )
}
