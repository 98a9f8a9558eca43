import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { withVerification } from '@/api/verification'
import { CodeBlock } from '@/components/CodeBlock'
import { CheckField } from '@/components/forms/Field'
import { QueryResult } from '@/components/QueryResult'
import { SectionCard } from '@/components/SectionCard'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { formatNumber } from '@/i18n/format'
import { provisioningQuery, setConfirmDeletions, type Provisioning } from './api'
import { Deletions } from './Deletions'
import { Token } from './Token'
import styles from './provisioning.module.css'

/** The company's directory adds and removes members by SCIM. */
export function ProvisioningSection() {
  const { t } = useTranslation(['provisioning', 'common', 'auth', 'errors'])
  return (
    <SectionCard title={t('title')}>
      <div className={styles.section}>
        <p className="t-soft">{t('text')}</p>
        <QueryResult
          query={useQuery(provisioningQuery)}
          loading={t('loading')}
          heights={[88, 120]}
          failed={t('failed')}
        >
          {(data) => (
            <>
              <CodeBlock text={data.baseUrl} caption={t('address')} copyLabel={t('copyAddress')} />
              <Token provisioning={data} />
              {data.tokens.length > 0 ? <Managed provisioning={data} /> : null}
              {data.deletions > 0 ? <Deletions /> : null}
            </>
          )}
        </QueryResult>
      </div>
    </SectionCard>
  )
}

function Managed({ provisioning: { users, groups, confirmDeletions } }: { provisioning: Provisioning }) {
  const { t } = useTranslation('provisioning')
  const change = useToastMutation((ask: boolean) => withVerification(() => setConfirmDeletions(ask)), {
    success: t('confirm.saved'),
    failure: t('confirm.failed'),
    refresh: [provisioningQuery.queryKey],
  })
  return (
    <>
      <CheckField
        label={t('confirm.label')}
        checked={confirmDeletions}
        disabled={change.isPending}
        onChange={({ target }) => void change.mutate(target.checked)}
      />
      <p className="t-soft">
        {t('confirm.hint')}{' '}
        {t('managed', {
          users: t('users', { count: users, number: formatNumber(users) }),
          groups: t('groups', { count: groups, number: formatNumber(groups) }),
        })}
      </p>
    </>
  )
}
