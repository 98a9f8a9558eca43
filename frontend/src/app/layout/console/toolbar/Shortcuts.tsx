import CheckOutlined from '@mui/icons-material/CheckOutlined'
import PushPinOutlined from '@mui/icons-material/PushPinOutlined'
import IconButton from '@mui/material/IconButton'
import ListItemIcon from '@mui/material/ListItemIcon'
import ListSubheader from '@mui/material/ListSubheader'
import ListItemText from '@mui/material/ListItemText'
import MenuItem from '@mui/material/MenuItem'
import Tooltip from '@mui/material/Tooltip'
import { useTranslation } from 'react-i18next'
import { NavLink } from 'react-router'
import type { User } from '@/api/session'
import { useActiveCompany } from '@/app/active-company'
import { settingsStore, useSettings } from '@/app/settings'
import { screensOf } from '../screens'
import styles from './Toolbar.module.css'
import { ToolbarMenu } from './ToolbarMenu'
import { useMenuAnchor } from './use-menu-anchor'

/** Screens pinned to the toolbar, and the menu that pins them. */
export function Shortcuts({ user }: { user: User }) {
  const { t } = useTranslation('console')
  const { pins } = useSettings()
  const company = useActiveCompany()
  const menu = useMenuAnchor()
  const screens = screensOf(user)

  function toggle(id: string) {
    settingsStore.update({ pins: pins.includes(id) ? pins.filter((pin) => pin !== id) : [...pins, id] })
  }

  return (
    <div className={styles.shortcuts}>
      {screens
        .filter(({ id, needsCompany }) => pins.includes(id) && (!needsCompany || company))
        .map(({ id, path, Icon }) => (
          <Tooltip key={id} title={t(`screens.${id}`)}>
            <IconButton
              component={NavLink}
              to={path}
              sx={{ color: 'text.secondary', '&[aria-current="page"]': { color: 'primary.main', bgcolor: 'var(--t-primary-soft)' } }}
            >
              <Icon fontSize="small" />
            </IconButton>
          </Tooltip>
        ))}
      <Tooltip title={t('shortcuts.label')}>
        <IconButton
          onClick={menu.show}
          aria-haspopup="menu"
          aria-expanded={menu.open}
          sx={{ color: 'text.secondary' }}
        >
          <PushPinOutlined fontSize="small" />
        </IconButton>
      </Tooltip>
      <ToolbarMenu anchor={menu} label={t('shortcuts.label')}>
        <ListSubheader role="presentation" sx={{ lineHeight: '32px', bgcolor: 'transparent' }}>
          {t('shortcuts.choose')}
        </ListSubheader>
        {screens.map(({ id, Icon }) => (
          <MenuItem key={id} role="menuitemcheckbox" aria-checked={pins.includes(id)} onClick={() => toggle(id)}>
            <ListItemIcon>
              <Icon fontSize="small" />
            </ListItemIcon>
            <ListItemText slotProps={{ primary: { variant: 'body2' } }}>{t(`screens.${id}`)}</ListItemText>
            <CheckOutlined
              fontSize="small"
              sx={{ marginInlineStart: 3, color: 'primary.main', visibility: pins.includes(id) ? 'visible' : 'hidden' }}
            />
          </MenuItem>
        ))}
      </ToolbarMenu>
    </div>
  )
}
