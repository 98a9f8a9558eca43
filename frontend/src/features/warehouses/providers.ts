import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'
import { currentLanguage } from '@/i18n/i18n'

/** What the service knows about a provider, in the reader's language. */
export type Provider = components['schemas']['ProviderRead']
export type ProviderField = Provider['fields'][number]

/** Only a new version of the service changes them. */
export function providersQuery() {
  return queryOptions({
    queryKey: ['providers', currentLanguage()],
    queryFn: ({ signal }) => dataOf(api.GET('/api/providers', { signal })),
    staleTime: Infinity,
  })
}

/** Of groups of fields instead of each other, the first one that was begun is required, or the last. */
export function isRequired({ alternatives }: Provider, field: ProviderField, values: Record<string, string>): boolean {
  if (!alternatives.flat().includes(field.name)) return field.required
  const begun = alternatives.find((group) => group.some((name) => values[name]?.trim())) ?? alternatives.at(-1)
  return begun?.includes(field.name) ?? false
}
