import { useTranslation } from 'react-i18next'
import type { User } from '@/api/session'
import { Dialog } from '@/components/dialog/Dialog'
import { searchProviders, type SearchProvider } from './search-providers'
import { SearchBox } from './SearchBox'
import { useCommands, type FrameControls } from './use-commands'

type SearchDialogProps = {
  user: User
  open: boolean
  onClose: () => void
  controls: FrameControls
  providers?: readonly SearchProvider[]
}

/** The box is mounted anew at each opening, so a search always starts empty. */
export function SearchDialog({ user, open, onClose, controls, providers = searchProviders }: SearchDialogProps) {
  const { t } = useTranslation('console')
  const commands = useCommands(user, controls)
  return (
    <Dialog open={open} onClose={onClose} label={t('search.title')} size="medium" placement="top">
      <SearchBox user={user} commands={commands} providers={providers} onClose={onClose} />
    </Dialog>
  )
}
