import { createIcon } from './create-icon'

export const AttentionIcon = createIcon('M10 3h4v12h-4z')
