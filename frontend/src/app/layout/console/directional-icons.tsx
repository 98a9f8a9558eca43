import HelpOutlineOutlined from '@mui/icons-material/HelpOutlineOutlined'
import LogoutOutlined from '@mui/icons-material/LogoutOutlined'
import ViewSidebarOutlined from '@mui/icons-material/ViewSidebarOutlined'
import type { SvgIconProps } from '@mui/material/SvgIcon'
import styles from './directional-icons.module.css'

// Icons that point or read in a direction turn round with the language; the Arabic question mark does too.

export function LogoutIcon(props: SvgIconProps) {
  return <LogoutOutlined {...props} className={styles.mirrored} />
}

export function QuickPanelIcon(props: SvgIconProps) {
  return <ViewSidebarOutlined {...props} className={styles.mirrored} />
}

export function HelpIcon(props: SvgIconProps) {
  return <HelpOutlineOutlined {...props} className={styles.mirrored} />
}
