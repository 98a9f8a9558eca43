import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { DownloadIcon } from '@/components/icons/DownloadIcon'
import { toast } from '@/components/toast'
import { post } from '../api'
import { useCall, useErrorText } from '../use-call'
import type { FileRow } from './use-rows'

type Props = {
  space: string
  rows: FileRow[]
  /** The change after which they are wanted. */
  at?: number
  variant?: 'primary' | 'text'
}

/** Puts a file into the Downloads folder as it is; a folder, or several items, as one ZIP. */
export function DownloadButton({ space, rows, at, variant = 'text' }: Props) {
  const { t } = useTranslation('client')
  const textOf = useErrorText()
  const { run, isPending } = useCall()

  async function download() {
    const isArchive = rows.length !== 1 || rows[0]?.type === 'folder'
    try {
      const paths = rows.map((row) => row.path)
      const { path } = await post('/downloads', { space, paths, isArchive, sequence: at ?? null })
      toast.success(t('files.downloading', { name: path.split('/').at(-1) }))
    } catch (error) {
      toast.error(textOf(error))
    }
  }

  return (
    <Button
      icon={<DownloadIcon />}
      variant={variant}
      pending={isPending}
      fullWidth={variant === 'primary'}
      onClick={() => void run(download)}
    >
      {t('files.download')}
    </Button>
  )
}
