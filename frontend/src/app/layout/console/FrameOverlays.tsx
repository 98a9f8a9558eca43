import { useTranslation } from 'react-i18next'
import type { User } from '@/api/session'
import { Dialog } from '@/components/dialog/Dialog'
import { MenuDrawer } from './menu/MenuDrawer'
import { QuickPanel } from './panels/QuickPanel'
import { SettingsPanel } from './panels/SettingsPanel'
import { searchProviders } from './search/search-providers'
import { SearchBox } from './search/SearchBox'
import { useCommands, type FrameControls } from './search/use-commands'
import type { FramePart } from './use-frame-parts'

type FrameOverlaysProps = { user: User; part: FramePart; onClose: () => void; controls: FrameControls }

/** Everything that opens over the frame. Fetched when first needed. */
export default function FrameOverlays({ user, part, onClose, controls }: FrameOverlaysProps) {
  if (part === 'search') return <SearchDialog user={user} onClose={onClose} controls={controls} />
  if (part === 'settings') return <SettingsPanel onClose={onClose} />
  if (part === 'quick') return <QuickPanel user={user} onClose={onClose} />
  return <MenuDrawer user={user} onClose={onClose} />
}

type SearchDialogProps = { user: User; onClose: () => void; controls: FrameControls }

function SearchDialog({ user, onClose, controls }: SearchDialogProps) {
  const { t } = useTranslation('overlays')
  const commands = useCommands(user, controls)
  return (
    <Dialog onClose={onClose} label={t('search.title')} size="medium" placement="top">
      <SearchBox user={user} commands={commands} providers={searchProviders} onClose={onClose} />
    </Dialog>
  )
}
