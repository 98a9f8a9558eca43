import { createIcon } from './create-icon'

export const StorageIcon = createIcon('M2 20h20v-4H2zm2-3h2v2H4zM2 4v4h20V4zm4 3H4V5h2zm-4 7h20v-4H2zm2-3h2v2H4z')
