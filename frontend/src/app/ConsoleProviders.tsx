import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient } from '@/api/query-client'
import { Toasts } from '@/components/Toasts'

/** What pages with data of the server stand in: the query client, the words for its failures, and the toasts. */
export default function ConsoleProviders({ children }: { children: ReactNode }) {
  useTranslation(['common', 'errors'])
  return (
    <QueryClientProvider client={queryClient}>
      {children}
      <Toasts />
    </QueryClientProvider>
  )
}
