import { useQuery } from '@tanstack/react-query'
import { useId, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { loadErrorMessage } from '@/api/errors'
import { withVerification } from '@/api/verification'
import { Button } from '@/components/Button'
import { Status } from '@/components/forms/layout'
import { SearchField } from '@/components/table/SearchField'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { formatNumber } from '@/i18n/format'
import { addRecipient, alertsQuery, memberSearch, removeRecipient, type Recipient } from './api'

type Props = { recipients: Recipient[]; maximum: number }

export function Recipients({ recipients, maximum }: Props) {
  const { t } = useTranslation('alerts')
  const id = useId()
  const full = recipients.length >= maximum
  return (
    <section className="t-grid" aria-labelledby={id}>
      <h3 id={id}>{t('recipients.title')}</h3>
      <p className="t-soft">{t('recipients.text', { maximum: formatNumber(maximum) })}</p>
      {recipients.length > 0 ? (
        <ul className="t-list" aria-label={t('recipients.title')}>
          {recipients.map((recipient) => (
            <RecipientRow key={recipient.uuid} recipient={recipient} />
          ))}
        </ul>
      ) : (
        <p className="t-soft">{t('recipients.none')}</p>
      )}
      {full ? <p className="t-soft">{t('recipients.full')}</p> : <MemberSearch recipients={recipients} />}
    </section>
  )
}

function RecipientRow({ recipient: { uuid, firstName, lastName, email } }: { recipient: Recipient }) {
  const { t } = useTranslation('alerts')
  const name = `${firstName} ${lastName}`
  const remove = useToastMutation(() => withVerification(() => removeRecipient(uuid)), {
    success: t('toasts.recipientRemoved'),
    failure: t('toasts.recipientRemoveFailed'),
    refresh: [alertsQuery.queryKey],
  })
  return (
    <PersonRow name={name} email={email}>
      <Button
        variant="text"
        danger
        aria-label={t('recipients.removeOf', { name })}
        pending={remove.isPending}
        onClick={() => void remove.mutate()}
      >
        {t('recipients.remove')}
      </Button>
    </PersonRow>
  )
}

function MemberSearch({ recipients }: { recipients: Recipient[] }) {
  const { t } = useTranslation('alerts')
  const [text, setText] = useState('')
  const { data, error } = useQuery(memberSearch(text, recipients.length))
  const chosen = new Set(recipients.map(({ uuid }) => uuid))
  const found = text && data ? data.item1.filter(({ uuid }) => !chosen.has(uuid)).slice(0, 5) : []
  let message = ''
  if (text && error) message = loadErrorMessage(error)
  else if (text && data && found.length === 0) message = t('recipients.nobody')
  return (
    <>
      <SearchField label={t('recipients.search')} value={text} onSearch={setText} />
      {found.length > 0 ? (
        <ul className="t-list" aria-label={t('recipients.found')}>
          {found.map(({ uuid, firstName, lastName, email_address: email }) => (
            <CandidateRow key={uuid} uuid={uuid} name={`${firstName} ${lastName}`} email={email} />
          ))}
        </ul>
      ) : null}
      <Status role="status">{message}</Status>
    </>
  )
}

type Candidate = { uuid: string; name: string; email: string }

function CandidateRow({ uuid, name, email }: Candidate) {
  const { t } = useTranslation('alerts')
  const add = useToastMutation(() => withVerification(() => addRecipient(uuid)), {
    success: t('toasts.recipientAdded'),
    failure: t('toasts.recipientAddFailed'),
    refresh: [alertsQuery.queryKey],
  })
  return (
    <PersonRow name={name} email={email}>
      <Button
        variant="outlined"
        aria-label={t('recipients.addOf', { name })}
        pending={add.isPending}
        onClick={() => void add.mutate()}
      >
        {t('recipients.add')}
      </Button>
    </PersonRow>
  )
}

type PersonRowProps = { name: string; email: string; children: ReactNode }

function PersonRow({ name, email, children }: PersonRowProps) {
  return (
    <li className="t-ends">
      <div>
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <p className="t-soft">
          <bdi dir="ltr">{email}</bdi>
        </p>
      </div>
      {children}
    </li>
  )
}
