import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Button } from '@/components/Button'
import { CodeBlock } from '@/components/CodeBlock'
import { EmptyState } from '@/components/EmptyState'
import { KeyIcon } from '@/components/icons/KeyIcon'
import { PageHeader } from '@/components/PageHeader'
import { QueryResult } from '@/components/QueryResult'
import { SectionCard } from '@/components/SectionCard'
import { useOpenRequest } from '@/hooks/use-open-request'
import { formatNumber } from '@/i18n/format'
import { tokensQuery } from './api'
import { TokenList } from './page/TokenList'
import styles from './page/tokens.module.css'

const CreateTokenDialog = lazy(() => import('./page/CreateTokenDialog'))

export default function TokensPage() {
  const { t } = useTranslation('tokens')
  const tokens = useQuery(tokensQuery)
  const [creating, setCreating] = useState(false)
  useOpenRequest({ create: () => setCreating(true) })
  const working = tokens.data?.tokens.filter(({ state }) => state === 'active').length ?? 0
  const maximum = tokens.data?.maxTokens ?? 0
  const full = tokens.data && working >= maximum ? t('full', { maximum: formatNumber(maximum) }) : null
  return (
    <>
      <PageHeader
        title={t('title')}
        sub={t('sub')}
        icon={<KeyIcon />}
        actions={
          <Button size="large" disabledReason={full} onClick={() => setCreating(true)}>
            {t('create.open')}
          </Button>
        }
      />
      <div className={styles.page}>
        <QueryResult query={tokens} loading={t('loading')} heights={[120, 180]} failed={t('failed')} heading="h2">
          {(data) =>
            data.tokens.length > 0 ? (
              <>
                <TokenList tokens={data.tokens} />
                <Usage />
              </>
            ) : (
              <EmptyState
                title={t('empty.title')}
                text={t('empty.text')}
                actions={<Link to="/api">{t('usage.reference')}</Link>}
              />
            )
          }
        </QueryResult>
      </div>
      <Suspense fallback={null}>{creating ? <CreateTokenDialog onClose={() => setCreating(false)} /> : null}</Suspense>
    </>
  )
}

function Usage() {
  const { t } = useTranslation('tokens')
  return (
    <SectionCard title={t('usage.title')}>
      <p className={styles.text}>
        {t('usage.text')} <Link to="/api">{t('usage.reference')}</Link>
      </p>
      <CodeBlock
        text={`curl "${window.location.origin}/api/users" -H "Authorization: Bearer $TESSERA_TOKEN"`}
        caption={t('usage.example')}
        copyLabel={t('usage.copy')}
      />
    </SectionCard>
  )
}
