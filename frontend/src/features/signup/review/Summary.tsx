import { useTranslation } from 'react-i18next'
import { US_STATES } from '@/components/us-states'
import { formatMoney } from '@/i18n/format'
import { phoneOf } from '../person'
import { plan } from '../plan'
import type { Signup } from '../use-signup'
import { Entries, type Entry } from './Entries'

function ltr(label: string, value: string): Entry {
  return { label, value, ltr: true }
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
          { label: t('company:edit.name'), value: company.name },
          ltr(t('company:edit.email'), company.email),
          ltr(t('auth:fields.phone'), phoneOf(company)),
          { label: t('review.address'), value: `${street}, ${place}` },
        ]}
      />
      <Entries
        title={t('review.leader')}
        onEdit={open('leader')}
        entries={[
          { label: t('review.name'), value: `${person.firstName} ${person.lastName}` },
          ltr(t('auth:fields.email'), person.email),
          ltr(t('auth:fields.phone'), phoneOf(person)),
          { label: t('auth:fields.password'), value: t('review.hidden') },
        ]}
      />
      <Entries
        title={t('review.passphrase')}
        onEdit={open('passphrase')}
        entries={[{ label: t('company:newPassphrase.label'), value: t('review.hidden') }]}
      />
      <Entries
        title={t('review.payment')}
        onEdit={open('payment')}
        entries={[
          { label: t('review.card'), value: t(signup.secrets.card ? 'payment.verified' : 'review.cardMissing') },
          ltr(t('payment.email'), billingEmail ?? company.email),
          {
            label: t('review.plan'),
            value: t('review.planText', {
              name: t(`subscription:plans.${plan.id}`),
              price: formatMoney(plan.cents, plan.currency),
              count: plan.trialDays,
            }),
          },
        ]}
      />
    </>
  )
}
