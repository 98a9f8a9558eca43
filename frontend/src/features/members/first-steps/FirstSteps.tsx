import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useId, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { loadErrorMessage } from '@/api/errors'
import { refreshUser } from '@/api/user'
import { Button, LinkButton } from '@/components/Button'
import { CheckIcon } from '@/components/icons/CheckIcon'
import { Spinner } from '@/components/Spinner'
import { useUser } from '@/hooks/use-session'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { formatNumber } from '@/i18n/format'
import { dismissFirstSteps, firstSteps, confirmPassphraseSheet } from '../api'
import styles from './first-steps.module.css'

// Fetched when it is opened, with the other parts of its feature.
const PassphraseDialog = lazy(async () => ({ default: (await import('@/features/companies')).PassphraseDialog }))

const STEPS = ['passphraseSheet', 'warehouses', 'members', 'client'] as const

type Step = (typeof STEPS)[number]

/** What a leader does after signing up. The texts are there at once, so that nothing moves when the states arrive. */
export default function FirstSteps({ onInvite }: { onInvite: () => void }) {
  const { t } = useTranslation(['company', 'common'])
  const id = useId()
  const { data, error, refetch } = useQuery(firstSteps)
  const dismiss = useToastMutation(() => dismissFirstSteps().then(refreshUser), {
    failure: t('firstSteps.dismissFailed'),
    // The card is gone with the button that had the focus.
    onDone: () => document.querySelector('h1')?.focus(),
  })
  const usesShared = !(useUser()?.canViewWarehouse ?? false)
  const textsOf = (step: Step) => (step === 'warehouses' && usesShared ? 'sharedWarehouses' : step)
  const done = STEPS.filter((step) => data?.[step]).length
  const actions: Record<Step, ReactNode> = {
    passphraseSheet: <PassphraseActions />,
    warehouses: <WarehousesLink />,
    members: (
      <Button variant="outlined" onClick={onInvite}>
        {t('firstSteps.members.action')}
      </Button>
    ),
    client: (
      <LinkButton variant="outlined" to="/download">
        {t('firstSteps.client.action')}
      </LinkButton>
    ),
  }
  return (
    <section className={styles.card} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>{t(done === STEPS.length ? 'firstSteps.allDone' : 'firstSteps.title')}</h2>
        <p className={styles.count} role="status">
          {data ? t('firstSteps.count', { done: formatNumber(done), all: formatNumber(STEPS.length) }) : ''}
        </p>
        <Button variant="text" pending={dismiss.isPending} onClick={() => void dismiss.mutate()}>
          {t('actions.dismiss', { ns: 'common' })}
        </Button>
      </div>
      {!data && error ? (
        <p className={styles.error} role="alert">
          {loadErrorMessage(error)}{' '}
          <Button variant="text" onClick={() => void refetch()}>
            {t('actions.retry', { ns: 'common' })}
          </Button>
        </p>
      ) : null}
      <ol>
        {STEPS.map((step) => (
          <li key={step} className={styles.step} data-done={data?.[step] ?? false}>
            <Mark done={data?.[step]} failed={error !== null} />
            <div className={styles.words}>
              <p className={styles.name}>{t(`firstSteps.${textsOf(step)}.name`)}</p>
              <p className={styles.text}>{t(`firstSteps.${textsOf(step)}.text`)}</p>
            </div>
            {data?.[step] ? null : <div className={styles.actions}>{actions[step]}</div>}
          </li>
        ))}
      </ol>
    </section>
  )
}

function Mark({ done, failed }: { done: boolean | undefined; failed: boolean }) {
  const { t } = useTranslation('company')
  if (done === undefined && !failed) {
    return (
      <span className={styles.mark}>
        <Spinner size={14} decorative />
      </span>
    )
  }
  return (
    <span className={styles.mark} data-done={done ?? false}>
      {done ? <CheckIcon aria-hidden /> : null}
      {done === undefined ? null : (
        <span className="t-hidden">{t(done ? 'firstSteps.done' : 'firstSteps.notDone')}</span>
      )}
    </span>
  )
}

function PassphraseActions() {
  const { t } = useTranslation('company')
  const [open, setOpen] = useState(false)
  const keep = useToastMutation(confirmPassphraseSheet, {
    failure: t('firstSteps.passphraseSheet.failed'),
    refresh: [firstSteps.queryKey],
  })
  return (
    <>
      <Button variant="text" onClick={() => setOpen(true)}>
        {t('firstSteps.passphraseSheet.show')}
      </Button>
      <Button variant="outlined" pending={keep.isPending} onClick={() => void keep.mutate()}>
        {t('firstSteps.passphraseSheet.action')}
      </Button>
      <Suspense fallback={null}>{open ? <PassphraseDialog onClose={() => setOpen(false)} /> : null}</Suspense>
    </>
  )
}

/** Companies with shared warehouses choose their own on the subscription page. */
function WarehousesLink() {
  const { t } = useTranslation('company')
  const own = useUser()?.canViewWarehouse ?? false
  return (
    <LinkButton variant="outlined" to={own ? '/warehouses' : '/subscription'}>
      {t('firstSteps.warehouses.action')}
    </LinkButton>
  )
}
