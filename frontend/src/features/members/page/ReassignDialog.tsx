import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '@/api/errors'
import { sessionStore } from '@/api/session'
import { withVerification } from '@/api/verification'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import { Panel } from '@/components/forms/layout'
import { toast } from '@/components/toast'
import { Term } from '@/components/Term'
import { keyring } from '@/crypto/keyring'
import {
  companyKeys,
  HandoverError,
  loadSealCompanyKeyFor,
  keyHolderQuery,
  memberPublicKeys,
  missingIn,
  nothingTyped,
} from '@/features/companies'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { useUser } from '@/hooks/use-session'
import { CancelledError } from '@/lib/deferred'
import { memberKeys, reassignLeadership, type CompanyRef, type Member } from '../api'
import { HandoverFields } from './HandoverFields'
import styles from './reassign.module.css'

type Props = { member: Member; company: CompanyRef; onClose: () => void }

/** When the team leader does it, their own session ends too. */
export function ReassignDialog({ member: { uuid, firstName, lastName }, company, onClose }: Props) {
  // The password field's texts too: loading them later would hide the dialog while somebody types.
  const { t } = useTranslation(['members', 'company', 'auth'])
  const client = useQueryClient()
  const user = useUser()
  const own = company === null
  const name = `${firstName} ${lastName}`
  const { data: publicKeys = null } = useQuery({ ...memberPublicKeys(uuid), enabled: own })
  const { data: holder = null } = useQuery({ ...keyHolderQuery, enabled: own })
  const keepsKey = holder?.uuid === uuid && holder.isCurrent
  const [handsOver, setHandsOver] = useState(false)
  const [typed, setTyped] = useState(nothingTyped)
  const [locked] = useState(() => !keyring.isUnlocked())

  async function keyHandover(): Promise<string | null> {
    if (!handsOver || !publicKeys || !user) return null
    const sealCompanyKeyFor = await loadSealCompanyKeyFor()
    return sealCompanyKeyFor({ uuid, publicKeys }, typed, user)
  }

  const reassign = useSecretMutation(async () => {
    try {
      const sealed = await keyHandover()
      await withVerification(() => reassignLeadership(company, uuid, sealed))
    } catch (error) {
      // What is wrong with the typed words or password is said beside them.
      if (!(error instanceof HandoverError || error instanceof CancelledError))
        toast.error(errorMessage(error, t('toasts.leaderFailed')))
      throw error
    }
    toast.success(t('toasts.leaderChanged'))
    onClose()
    if (own) sessionStore.signOut('loggedOut')
    else for (const queryKey of [memberKeys.all, companyKeys.all]) void client.invalidateQueries({ queryKey })
  })

  const missing = missingIn(typed, locked)
  const note = keepsKey ? 'holder' : own && !publicKeys ? 'noteOwnNoKeys' : own ? 'noteOwn' : 'note'
  const text = t(`company:lead.${note}`, { name })
  return (
    <ConfirmDialog
      open
      destructive={own}
      title={t('company:lead.title', { name })}
      confirmLabel={t('company:lead.confirm')}
      pending={reassign.isPending}
      disabledReason={handsOver && missing ? t(`company:${missing}`) : null}
      onConfirm={() => void reassign.mutate()}
      onClose={onClose}
    >
      <ul className={styles.list}>
        <li>{t(own ? 'company:lead.roleOwn' : 'company:lead.role', { name })}</li>
        <li>{t(own ? 'company:lead.logoutOwn' : 'company:lead.logout')}</li>
        <li>{t('company:lead.keys')}</li>
      </ul>
      {handsOver ? null : <Panel>{keepsKey ? <Term name="keyHolder">{text}</Term> : text}</Panel>}
      {publicKeys && !keepsKey ? (
        <HandoverFields
          name={name}
          chosen={handsOver}
          onChoose={(chosen) => {
            setHandsOver(chosen)
            setTyped(nothingTyped)
            reassign.reset()
          }}
          typed={typed}
          onType={(next) => {
            setTyped(next)
            if (reassign.error) reassign.reset()
          }}
          locked={locked}
          error={reassign.error instanceof HandoverError ? reassign.error.code : null}
          readOnly={reassign.isPending}
        />
      ) : null}
    </ConfirmDialog>
  )
}
