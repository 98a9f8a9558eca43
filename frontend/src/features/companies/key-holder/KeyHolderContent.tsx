import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadErrorMessage } from '@/api/errors'
import type { User } from '@/api/session'
import { DialogContent, DialogTitle } from '@/components/dialog/Dialog'
import { ErrorState } from '@/components/ErrorState'
import { Skeleton } from '@/components/Skeleton'
import { Term } from '@/components/Term'
import { keyHolderQuery, type Candidate } from './api'
import { ChooseMember } from './ChooseMember'
import { KeyHolderStatus } from './KeyHolderStatus'
import { NameKeyHolder } from './NameKeyHolder'

type View = { name: 'status' } | { name: 'choose' } | { name: 'words'; member: Candidate; renews: boolean }

type Props = {
  user: User
  /** Left out where this is all that the dialog shows. */
  onBack?: () => void
  onClose: () => void
}

/** What a dialog about the second key holder shows to the team leader. */
export function KeyHolderContent({ user, onBack, onClose }: Props) {
  const { t } = useTranslation('company')
  const holder = useQuery(keyHolderQuery)
  const [view, setView] = useState<View>({ name: 'status' })
  const toStatus = () => setView({ name: 'status' })
  const title = view.name === 'words' && view.renews ? 'renew' : view.name
  return (
    <>
      <DialogTitle aside={<Term name="keyHolder" />}>{t(`keyHolder.titles.${title}`)}</DialogTitle>
      <DialogContent>
        {holder.isPending ? <Skeleton label={t('keyHolder.loading')} heights={[96]} /> : null}
        {holder.isError ? (
          <ErrorState heading="h3" text={loadErrorMessage(holder.error)} onRetry={() => void holder.refetch()} />
        ) : null}
        {holder.data !== undefined && view.name === 'status' ? (
          <KeyHolderStatus
            holder={holder.data}
            onName={() => setView({ name: 'choose' })}
            onRenew={(member) => setView({ name: 'words', member, renews: true })}
            onBack={onBack}
            onClose={onClose}
          />
        ) : null}
        {view.name === 'choose' ? (
          <ChooseMember onChoose={(member) => setView({ name: 'words', member, renews: false })} onBack={toStatus} />
        ) : null}
        {view.name === 'words' ? (
          <NameKeyHolder user={user} member={view.member} renews={view.renews} onDone={toStatus} onBack={toStatus} />
        ) : null}
      </DialogContent>
    </>
  )
}
