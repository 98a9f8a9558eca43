import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { US_STATES } from '@/components/forms/us-states'
import { formatMoney } from '@/i18n/format'
import { plan } from '../flow'
import { phoneOf } from '../person'
import type { Signup } from '../use-signup'
import styles from './review.module.css'

function typed(label: string, value: string): Entry {
  return { label, value, kind: 'typed' }
}

function code(label: string, value: string): Entry {
  return { label, value, kind: 'code' }
}

function said(label: string, value: string): Entry {
  return { label, value, kind: 'said' }
}

/** Keeps a Latin name or an amount together inside an Arabic sentence. */
function isolated(text: string): string {
  return `\u2068${text}\u2069`
}

/** Everything that was entered, with a way back to where it was. Secrets are named, never shown. */
export function Summary({ signup, locked }: { signup: Signup; locked: boolean }) {
  const { t } = useTranslation(['signup', 'company', 'auth', 'subscription'])
  const { company, person, billingEmail } = signup.draft
  const state = US_STATES.find(({ code }) => code === company.state)?.name ?? company.state
  const street = [company.addressLine1, company.addressLine2].filter(Boolean).join(', ')
  const place = [company.city, `${state} ${company.zip}`].filter(Boolean).join(', ')
  const open = (step: Parameters<Signup['goTo']>[0]) => (locked ? undefined : () => signup.goTo(step))
  return (
    <>
      <Entries
        title={t('review.company')}
        onEdit={open('company')}
        entries={[
          typed(t('company:edit.name'), company.name),
          code(t('company:edit.email'), company.email),
          code(t('auth:fields.phone'), phoneOf(company)),
          typed(t('review.address'), `${street}, ${place}`),
        ]}
      />
      <Entries
        title={t('review.leader')}
        onEdit={open('leader')}
        entries={[
          typed(t('review.name'), `${person.firstName} ${person.lastName}`),
          code(t('auth:fields.email'), person.email),
          code(t('auth:fields.phone'), phoneOf(person)),
          said(t('auth:fields.password'), t('review.hidden')),
        ]}
      />
      <Entries
        title={t('review.passphrase')}
        onEdit={open('passphrase')}
        entries={[said(t('company:newPassphrase.label'), t('review.hidden'))]}
      />
      <Entries
        title={t('review.payment')}
        onEdit={open('payment')}
        entries={[
          said(t('review.card'), t(signup.secrets.card ? 'payment.verified' : 'review.cardMissing')),
          code(t('payment.email'), billingEmail ?? company.email),
          said(
            t('review.plan'),
            t('review.planText', {
              name: isolated(t(`subscription:plans.${plan.id}`)),
              price: isolated(formatMoney(plan.cents, plan.currency)),
              count: plan.trialDays,
            }),
          ),
        ]}
      />
    </>
  )
}

/** What somebody typed keeps its own direction, a number or an address reads from left to right, and what we say
 *  ourselves follows the page. */
type Entry = { label: string; value: string; kind: 'typed' | 'code' | 'said' }

type Props = { title: string; entries: Entry[]; onEdit: (() => void) | undefined }

function Entries({ title, entries, onEdit }: Props) {
  const { t } = useTranslation('signup')
  const id = useId()
  return (
    <section className={styles.section} aria-labelledby={id}>
      <header className={styles.header}>
        <h2 id={id}>{title}</h2>
        <Button
          variant="text"
          size="large"
          aria-label={t('review.editOf', { what: title })}
          disabled={!onEdit}
          onClick={onEdit}
        >
          {t('review.edit')}
        </Button>
      </header>
      <dl className={styles.list}>
        {entries.map(({ label, value, kind }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{kind === 'said' ? value : <bdi dir={kind === 'code' ? 'ltr' : 'auto'}>{value}</bdi>}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
