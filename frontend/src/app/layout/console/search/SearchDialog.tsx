import Dialog from '@mui/material/Dialog'
import { useTranslation } from 'react-i18next'
import type { User } from '@/api/session'
import { SearchBox } from './SearchBox'
import { type SearchProvider, searchProviders } from './search-providers'
import type { Suggestion } from './suggestion'

type SearchDialogProps = {
  user: User
  open: boolean
  onClose: () => void
  commands: Suggestion[]
  providers?: readonly SearchProvider[]
}

/** The box is mounted anew at each opening, so a search always starts empty. */
export function SearchDialog({ user, open, onClose, commands, providers = searchProviders }: SearchDialogProps) {
  const { t } = useTranslation('console')
  return (
    <Dialog
      open={open}
      onClose={onClose}
      fullWidth
      maxWidth="sm"
      aria-label={t('search.title')}
      sx={{ '& .MuiDialog-container': { alignItems: 'flex-start' } }}
      slotProps={{ paper: { sx: { mt: { xs: 1, sm: 8 }, mx: { xs: 1, sm: 4 }, width: { xs: 'calc(100% - 16px)' } } } }}
    >
      <SearchBox user={user} commands={commands} providers={providers} onClose={onClose} />
    </Dialog>
  )
}
