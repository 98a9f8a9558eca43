import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { LockIcon } from '@/components/icons/LockIcon'
import { PageHeader } from '@/components/PageHeader'
import { QueryResult } from '@/components/QueryResult'
import { SectionCard } from '@/components/SectionCard'
import { policiesQuery } from './api'
import styles from './policies.module.css'
import { PoliciesForm } from './PoliciesForm'

/** What the company demands of logins and sessions. */
export default function PoliciesPage() {
  const { t } = useTranslation(['policies', 'common', 'auth', 'errors'])
  return (
    <>
      <PageHeader title={t('title')} sub={t('sub')} icon={<LockIcon />} />
      <div className={styles.page}>
        <SectionCard title={t('login.title')}>
          <QueryResult
            query={useQuery(policiesQuery)}
            loading={t('loading')}
            heights={[120, 72, 72]}
            failed={t('failed')}
          >
            {(policies) => <PoliciesForm policies={policies} />}
          </QueryResult>
        </SectionCard>
        <SectionCard title={t('sharing.title')}>
          <p className={`t-soft ${styles.text}`}>{t('sharing.text')}</p>
          <Link to="/storage">{t('sharing.open')}</Link>
        </SectionCard>
      </div>
    </>
  )
}
