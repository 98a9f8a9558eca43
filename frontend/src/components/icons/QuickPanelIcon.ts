import { createIcon } from './create-icon'

export const QuickPanelIcon = createIcon(
  'M2 4v16h20V4zm18 4.67h-2.5V6H20zm-2.5 2H20v2.67h-2.5zM4 6h11.5v12H4zm13.5 12v-2.67H20V18z',
  true,
)
