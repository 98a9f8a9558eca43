import { useTranslation } from 'react-i18next'
import type { User } from '@/api/session'
import { Dialog } from '@/components/dialog/Dialog'
import { QuickPanel } from './panels/QuickPanel'
import { SettingsPanel } from './panels/SettingsPanel'
import { searchProviders, type SearchProvider } from './search/search-providers'
import { SearchBox } from './search/SearchBox'
import { useCommands, type FrameControls } from './search/use-commands'
import type { FramePart } from './use-frame-parts'

type FrameOverlaysProps = { user: User; part: FramePart | null; onClose: () => void; controls: FrameControls }

/** Everything that opens over the frame. Fetched when first needed. */
export default function FrameOverlays({ user, part, onClose, controls }: FrameOverlaysProps) {
  return (
    <>
      <SearchDialog user={user} open={part === 'search'} onClose={onClose} controls={controls} />
      <SettingsPanel open={part === 'settings'} onClose={onClose} />
      <QuickPanel user={user} open={part === 'quick'} onClose={onClose} />
    </>
  )
}

type SearchDialogProps = {
  user: User
  open: boolean
  onClose: () => void
  controls: FrameControls
  providers?: readonly SearchProvider[]
}

/** Mounted again at each opening, so that a search starts empty. */
function SearchDialog({ user, open, onClose, controls, providers = searchProviders }: SearchDialogProps) {
  const { t } = useTranslation('overlays')
  const commands = useCommands(user, controls)
  return (
    <Dialog open={open} onClose={onClose} label={t('search.title')} size="medium" placement="top">
      <SearchBox user={user} commands={commands} providers={providers} onClose={onClose} />
    </Dialog>
  )
}
