import useMediaQuery from '@mui/material/useMediaQuery'
import type { ReactNode } from 'react'
import type { User } from '@/api/session'
import { useSettings } from '@/app/settings'
import { useUser } from '@/hooks/use-session'
import { ActionDialog } from './ActionDialog'
import { ChatFrame } from './ChatFrame'
import { ConsoleFooter } from './ConsoleFooter'
import styles from './ConsoleFrame.module.css'
import { MenuDrawer } from './menu/MenuDrawer'
import { SideMenu } from './menu/SideMenu'
import { QuickPanel } from './panels/QuickPanel'
import { SettingsPanel } from './panels/SettingsPanel'
import { SearchDialog } from './search/SearchDialog'
import { useCommands } from './search/use-commands'
import { Toolbar } from './toolbar/Toolbar'
import { useConfig } from './use-config'
import { useFrameParts } from './use-frame-parts'
import { useLogout } from './use-logout'
import { useSearchShortcut } from './use-search-shortcut'

type FrameProps = { children: ReactNode }

/** What surrounds every console screen. Between a sign-out and the redirect there is nobody to show it to. */
export default function ConsoleFrame({ children }: FrameProps) {
  const user = useUser()
  return user && <Frame user={user}>{children}</Frame>
}

function Frame({ user, children }: FrameProps & { user: User }) {
  const { menuSide, width } = useSettings()
  const config = useConfig()
  const phone = useMediaQuery('(max-width: 899px)', { noSsr: true })
  const { part, action, show, toggleSearch, close, run, endAction } = useFrameParts()
  const logout = useLogout()
  const commands = useCommands(user, { show, run, logout })
  useSearchShortcut(toggleSearch)

  return (
    <div className={styles.frame} data-side={menuSide} data-width={width}>
      {phone ? <MenuDrawer user={user} open={part === 'menu'} onClose={close} /> : <SideMenu user={user} />}
      <div className={styles.column}>
        <Toolbar user={user} burger={phone} onOpen={show} onAction={run} onLogout={logout} />
        <main className={styles.main} id="main" tabIndex={-1}>
          {children}
        </main>
        <ConsoleFooter />
      </div>
      <SearchDialog user={user} open={part === 'search'} onClose={close} commands={commands} />
      <SettingsPanel open={part === 'settings'} onClose={close} />
      <QuickPanel user={user} open={part === 'quick'} onClose={close} />
      <ActionDialog action={action} onClose={endAction} />
      {config?.chatUrl && <ChatFrame url={config.chatUrl} />}
    </div>
  )
}
