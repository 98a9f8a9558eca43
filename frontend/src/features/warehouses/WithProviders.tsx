import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { QueryResult } from '@/components/QueryResult'
import { providersQuery, type Provider } from './providers'

/** What needs the providers' descriptions, as soon as they are there. */
export function WithProviders({ children }: { children: (providers: readonly Provider[]) => ReactNode }) {
  const { t } = useTranslation('common')
  return (
    <QueryResult query={useQuery(providersQuery())} loading={t('wait')} heights={[52, 52, 52]}>
      {children}
    </QueryResult>
  )
}
