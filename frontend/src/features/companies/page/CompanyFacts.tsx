import { Suspense, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SectionCard } from '@/components/SectionCard'
import { StatusChip, warehouseName } from '@/features/warehouses'
import { formatDate, formatDateTime, formatNumber } from '@/i18n/format'
import type { CompanyDetail } from '../api'
import styles from './facts.module.css'

type Group = { name: string; facts: [key: string, value: ReactNode][] }

const ltr = (text: string) => <bdi dir="ltr">{text}</bdi>

const reasonOf = (text: string): [string, ReactNode] => [
  'disabledReason',
  <span key="reason" dir="auto" className={styles.lines}>
    {text}
  </span>,
]

/** The dates that are known. */
const dates = (named: Record<string, string | null>): [string, ReactNode][] =>
  Object.entries(named).flatMap(([name, date]) => (date ? [[name, formatDate(date, 'long')]] : []))

/** A company's status, without secrets. */
export function CompanyFacts({ company }: { company: CompanyDetail }) {
  const { t } = useTranslation('companies')
  const { address, teamLeader, billing } = company
  const none = t('detail.none')
  const lines = [address.addressLine1, address.addressLine2, `${address.city} ${address.state} ${address.zipCode}`]
  const groups: Group[] = [
    {
      name: 'contact',
      facts: [
        ['email', ltr(company.email)],
        ['phoneNumber', ltr(company.phoneNumber)],
        [
          'address',
          <bdi key="address" className={styles.lines}>
            {lines
              .map((line) => line.trim())
              .filter(Boolean)
              .join('\n')}
          </bdi>,
        ],
      ],
    },
    {
      name: 'people',
      facts: [
        ['leader', teamLeader ? <bdi key="leader">{`${teamLeader.firstName} ${teamLeader.lastName}`}</bdi> : none],
        ['leaderEmail', teamLeader ? ltr(teamLeader.email_address) : none],
        ['members', formatNumber(company.memberCount)],
        ['activeMembers', formatNumber(company.activeMemberCount)],
        ['openInvites', formatNumber(company.openInviteCount)],
      ],
    },
    {
      name: 'subscription',
      facts: [
        ['plan', billing.planId ? t(`detail.plans.${billing.planId}`, { defaultValue: t('detail.plans.1') }) : none],
        ['state', t(`subscription.${company.subscriptionState}`)],
        ...dates({ trialEnd: billing.trialEnd, nextBilling: billing.nextBilling, endsAt: billing.endsAt }),
        ...dates({ pastDueSince: billing.pastDueSince, deactivatedAt: company.deactivatedForDebtAt }),
        ['customerId', billing.customerId ? ltr(billing.customerId) : none],
      ],
    },
    {
      name: 'storage',
      facts: [
        ['warehouses', <CompanyWarehouses key="warehouses" company={company} />],
        ['passphrase', t(company.hasPassphrase ? 'detail.passphraseSet' : 'detail.passphraseMissing')],
      ],
    },
    {
      name: 'account',
      facts: [
        ['enabled', t(company.isEnabled ? 'totals.enabled' : 'totals.disabled')],
        ...(company.disabledReason ? [reasonOf(company.disabledReason)] : []),
        ...dates({ leavingSince: company.leavingSince, deletionAt: company.deletionAt }),
        ['created', formatDate(company.dateCreated, 'long')],
        ['lastActivity', company.lastActivityAt ? formatDateTime(company.lastActivityAt) : none],
        ['number', ltr(String(company.companyId))],
      ],
    },
  ]
  return (
    <div className={styles.groups}>
      {groups.map(({ name, facts }) => (
        <SectionCard key={name} title={t(`detail.groups.${name}`)}>
          <dl className={styles.facts}>
            {facts.map(([key, value]) => (
              <div key={key} className={styles.fact}>
                <dt>{t(`detail.facts.${key}`)}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </SectionCard>
      ))}
    </div>
  )
}

/** The status of each warehouse; admins see nothing more of them. */
function CompanyWarehouses({ company }: { company: CompanyDetail }) {
  const { t } = useTranslation('companies')
  return (
    <>
      {t(company.canViewWarehouse ? 'detail.ownWarehouses' : 'detail.sharedWarehouses')}
      {company.warehouses.length > 0 ? (
        <ul className={styles.warehouses}>
          {company.warehouses.map((warehouse, index) => (
            <li key={index}>
              <bdi>{warehouseName(warehouse)}</bdi>
              <Suspense fallback={null}>
                <StatusChip status={warehouse.status} />
              </Suspense>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  )
}
