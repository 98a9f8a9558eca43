import type { NavigateFunction } from 'react-router'
import type { ScreenIcon } from '../screens'
import type { SearchResultKind } from './search-providers'

export type Suggestion = {
  id: string
  kind: 'screen' | 'action' | SearchResultKind
  label: string
  detail?: string
  /** Other words people may type for it. */
  keywords?: string
  Icon: ScreenIcon
  open: (navigate: NavigateFunction) => void
}
