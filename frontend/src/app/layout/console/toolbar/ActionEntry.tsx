import ListItemIcon from '@mui/material/ListItemIcon'
import ListItemText from '@mui/material/ListItemText'
import MenuItem, { type MenuItemProps } from '@mui/material/MenuItem'
import type { ScreenIcon } from '../screens'

type ActionEntryProps = MenuItemProps & { Icon: ScreenIcon; label: string }

// The menu walks its entries by keyboard through the properties it passes on, hence `...rest`.
export function ActionEntry({ Icon, label, ...rest }: ActionEntryProps) {
  return (
    <MenuItem {...rest}>
      <ListItemIcon>
        <Icon fontSize="small" />
      </ListItemIcon>
      <ListItemText slotProps={{ primary: { variant: 'body2' } }}>{label}</ListItemText>
    </MenuItem>
  )
}
