import Menu from '@mui/material/Menu'
import type { ReactNode } from 'react'
import type { MenuAnchor } from './use-menu-anchor'

type ToolbarMenuProps = { anchor: MenuAnchor; label: string; alignEnd?: boolean; children: ReactNode }

/** A menu under its button. It hangs outside the page's landmarks, so it is one itself. */
export function ToolbarMenu({ anchor, label, alignEnd = false, children }: ToolbarMenuProps) {
  const horizontal = alignEnd ? 'right' : 'left'
  return (
    <Menu
      open={anchor.open}
      anchorEl={anchor.anchorEl}
      onClose={anchor.close}
      anchorOrigin={{ vertical: 'bottom', horizontal }}
      transformOrigin={{ vertical: 'top', horizontal }}
      slotProps={{
        root: { role: 'region', 'aria-label': label },
        list: { 'aria-label': label },
        paper: { sx: { minWidth: 200, maxWidth: 320, mt: 0.5 } },
      }}
    >
      {children}
    </Menu>
  )
}
