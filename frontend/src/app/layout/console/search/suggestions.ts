import type { NavigateFunction } from 'react-router'
import type { Icon } from '@/components/icons/create-icon'
import { normalizeText } from '@/lib/normalize-text'
import type { SearchResultKind } from './search-providers'

export type Suggestion = {
  id: string
  kind: 'screen' | 'action' | SearchResultKind
  label: string
  detail?: string
  /** Other words people may type for it. */
  keywords?: string
  Icon: Icon
  open: (navigate: NavigateFunction) => void
}

const SUGGESTION_LIMIT = 10
const LOCAL_SHARE = 5

function score(suggestion: Suggestion, words: string[]): number {
  const label = normalizeText(suggestion.label)
  const everything = `${label} ${normalizeText(suggestion.keywords ?? '')}`
  if (!words.every((word) => everything.includes(word))) return 0
  const first = words[0] ?? ''
  if (label.startsWith(first)) return 4
  if (label.includes(` ${first}`)) return 3
  return label.includes(first) ? 2 : 1
}

/** Those that hold every word of the query, the closest first; all of them for an empty query. */
export function matchSuggestions(suggestions: Suggestion[], query: string): Suggestion[] {
  const words = normalizeText(query).split(/\s+/).filter(Boolean)
  if (words.length === 0) return suggestions
  return suggestions
    .map((suggestion) => ({ suggestion, points: score(suggestion, words) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
    .map(({ suggestion }) => suggestion)
}

/** Screens and actions come first, but never push out everything the server found. */
export function mergeSuggestions(local: Suggestion[], found: Suggestion[]): Suggestion[] {
  const localRoom = Math.max(LOCAL_SHARE, SUGGESTION_LIMIT - found.length)
  return [...local.slice(0, localRoom), ...found].slice(0, SUGGESTION_LIMIT)
}
