import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient } from '@/api/query-client'

/** Providers of pages that load data: the query client and its error texts. */
export default function ConsoleProviders({ children }: { children: ReactNode }) {
  useTranslation(['common', 'errors'])
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
}
