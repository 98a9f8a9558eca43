import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { Banner } from '@/components/Banner'
import { Button } from '@/components/Button'
import { Term } from '@/components/Term'
import { companyAlerts } from '@/features/companies/alerts'
import { paymentQuery, type Payment } from '@/features/subscription/api'
import { formatDate } from '@/i18n/format'
import styles from './CompanyBanner.module.css'

const TRIAL_NOTICE_MS = 7 * 86_400_000

type Notice = {
  text: string
  values?: Record<string, string | number>
  page?: '/leave' | '/subscription' | '/warehouses'
}

function billingNotice(payment: Payment): Notice | null {
  const { isSubscribed, pastDueSince, accessUntil } = payment
  if (!isSubscribed) return { text: 'ended', page: '/subscription' }
  if (pastDueSince && accessUntil) {
    return { text: 'pastDue', values: { date: formatDate(accessUntil, 'long') }, page: '/subscription' }
  }
  return null
}

function trialNotice({ trialEndsAt, autoRenew }: Payment): Notice | null {
  if (!trialEndsAt || !autoRenew || Date.parse(trialEndsAt) - Date.now() > TRIAL_NOTICE_MS) return null
  return { text: 'trial', values: { date: formatDate(trialEndsAt, 'long') }, page: '/subscription' }
}

function passphraseNotice(handedOver: boolean, keyHolder: string | null): Notice {
  if (handedOver) return { text: 'handedOver' }
  return keyHolder ? { text: 'askKeyHolder', values: { name: keyHolder } } : { text: 'passphrase' }
}

const PAGE_LINKS = { '/leave': 'openLeave', '/subscription': 'openSubscription', '/warehouses': 'openWarehouses' }

/** The team leader's most urgent task; not shown on the page where it is done. */
export default function CompanyBanner({ onPassphrase }: { onPassphrase: () => void }) {
  const { t } = useTranslation('console')
  const { pathname } = useLocation()
  const { data: payment } = useQuery(paymentQuery)
  const { data: alerts } = useQuery(companyAlerts)
  if (!payment || !alerts) return null
  const {
    passphraseNeeded,
    passphraseHandedOver,
    keyHolder,
    activeWarehouses: active,
    neededWarehouses: needed,
    deletionAt,
  } = alerts
  const notices: (Notice | null)[] = [
    deletionAt ? { text: 'leaving', values: { date: formatDate(deletionAt, 'long') }, page: '/leave' } : null,
    billingNotice(payment),
    passphraseNeeded ? passphraseNotice(passphraseHandedOver, keyHolder) : null,
    active !== null && active < needed ? { text: 'warehouses', values: { active, needed }, page: '/warehouses' } : null,
    trialNotice(payment),
  ]
  const notice = notices.find((each) => each !== null)
  if (!notice || notice.page === pathname) return null
  const text = t(`banner.${notice.text}`, notice.values)
  return (
    <Banner
      label={t('banner.label')}
      text={notice.text === 'askKeyHolder' ? <Term name="keyHolder">{text}</Term> : text}
      action={
        notice.page ? (
          <Link className={styles.link} to={notice.page}>
            {t(`banner.${PAGE_LINKS[notice.page]}`)}
          </Link>
        ) : (
          <Button variant="text" size="large" onClick={onPassphrase}>
            {t(passphraseHandedOver ? 'banner.receivePassphrase' : 'banner.enterPassphrase')}
          </Button>
        )
      }
    />
  )
}
