import type { User } from '@/api/session'
import { QuickPanel } from './panels/QuickPanel'
import { SettingsPanel } from './panels/SettingsPanel'
import { SearchDialog } from './search/SearchDialog'
import type { FrameControls } from './search/use-commands'
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
