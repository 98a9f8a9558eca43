import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient } from '@/api/query-client'

/** What pages with data of the server stand in: the query client and the words for its failures. */
export default function ConsoleProviders({ children }: { children: ReactNode }) {
  useTranslation(['common', 'errors'])
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
}
