import BlockOutlined from '@mui/icons-material/BlockOutlined'
import CheckCircleOutlined from '@mui/icons-material/CheckCircleOutlined'
import DeleteOutlined from '@mui/icons-material/DeleteOutlined'
import EditOutlined from '@mui/icons-material/EditOutlined'
import ForwardToInboxOutlined from '@mui/icons-material/ForwardToInboxOutlined'
import GroupOutlined from '@mui/icons-material/GroupOutlined'
import InfoOutlined from '@mui/icons-material/InfoOutlined'
import ManageAccountsOutlined from '@mui/icons-material/ManageAccountsOutlined'
import ListItemIcon from '@mui/material/ListItemIcon'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import type { SvgIconProps } from '@mui/material/SvgIcon'
import type { ComponentType } from 'react'
import { MuiProvider } from '../dialog/MuiProvider'
import type { RowAction, RowSign } from './column'

const signs: Record<RowSign, ComponentType<SvgIconProps>> = {
  edit: EditOutlined,
  delete: DeleteOutlined,
  enable: CheckCircleOutlined,
  disable: BlockOutlined,
  lead: ManageAccountsOutlined,
  people: GroupOutlined,
  detail: InfoOutlined,
  resend: ForwardToInboxOutlined,
}

type Props = { label: string; anchor: HTMLElement | null; actions: RowAction[]; onClose: () => void }

/** Rendered outside the page's landmarks, so it is a landmark itself. */
export default function RowMenu({ label, anchor, actions, onClose }: Props) {
  return (
    <MuiProvider>
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
        {actions.map(({ id, label: words, sign, destructive, onSelect }) => {
          const Sign = signs[sign]
          return (
            <MenuItem
              key={id}
              sx={destructive ? { color: 'error.main' } : {}}
              onClick={() => {
                onClose()
                onSelect()
              }}
            >
              <ListItemIcon sx={{ color: 'inherit' }}>
                <Sign fontSize="small" />
              </ListItemIcon>
              {words}
            </MenuItem>
          )
        })}
      </Menu>
    </MuiProvider>
  )
}
