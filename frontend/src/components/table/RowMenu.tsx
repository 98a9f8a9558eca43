import ListItemIcon from '@mui/material/ListItemIcon'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import type { RowAction } from './column'

type Props = { label: string; anchor: HTMLElement | null; actions: RowAction[]; onClose: () => void }

/** It hangs outside the page's landmarks, so it is one itself. */
export default function RowMenu({ label, anchor, actions, onClose }: Props) {
  return (
    <Menu
      open={anchor !== null}
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: 'top', horizontal: 'right' }}
      slotProps={{
        root: { role: 'region', 'aria-label': label },
        list: { 'aria-label': label },
        paper: { sx: { minWidth: 200 } },
      }}
    >
      {actions.map(({ id, label: words, Icon, destructive, onSelect }) => (
        <MenuItem
          key={id}
          sx={destructive ? { color: 'error.main' } : {}}
          onClick={() => {
            onClose()
            onSelect()
          }}
        >
          {Icon ? (
            <ListItemIcon sx={{ color: 'inherit' }}>
              <Icon fontSize="small" />
            </ListItemIcon>
          ) : null}
          {words}
        </MenuItem>
      ))}
    </Menu>
  )
}
