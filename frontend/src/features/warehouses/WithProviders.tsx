import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { loadErrorMessage } from '@/api/errors'
import { ErrorState } from '@/components/ErrorState'
import { Skeleton } from '@/components/Skeleton'
import { providersQuery, type Provider } from './providers'

/** What needs the providers' descriptions, as soon as they are there. */
export function WithProviders({ children }: { children: (providers: readonly Provider[]) => ReactNode }) {
  const { t } = useTranslation('common')
  const { data, error, refetch } = useQuery(providersQuery())
  if (data) return children(data)
  if (error) return <ErrorState text={loadErrorMessage(error)} heading="h3" onRetry={() => void refetch()} />
  return <Skeleton label={t('wait')} heights={[52, 52, 52]} />
}
