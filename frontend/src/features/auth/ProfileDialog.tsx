import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { lazy, Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useUser } from '@/hooks/use-session'
import { EmailChange } from './profile/EmailChange'
import type { ProfileView } from './profile/profile-view'
import { ProfileForm } from './profile/ProfileForm'

// The table of the world's phone numbers comes only when one is going to be typed.
const PhoneChange = lazy(() => import('./profile/PhoneChange'))

type Props = { open: boolean; onClose: () => void }

export default function ProfileDialog({ open, onClose }: Props) {
  const titleId = useId()
  return (
    <Dialog open={open} onClose={onClose} aria-labelledby={titleId} maxWidth="xs" fullWidth>
      <Content titleId={titleId} onClose={onClose} />
    </Dialog>
  )
}

/** Apart from the dialog, so that it starts afresh each time it is opened. */
function Content({ titleId, onClose }: { titleId: string; onClose: () => void }) {
  const { t } = useTranslation(['auth', 'errors'])
  const user = useUser()
  const [view, setView] = useState<ProfileView>('main')
  if (!user) return null
  const back = () => setView('main')
  return (
    <>
      <DialogTitle id={titleId}>{t(`profile.title.${view}`)}</DialogTitle>
      <DialogContent>
        {view === 'main' ? <ProfileForm user={user} onChange={setView} onClose={onClose} /> : null}
        {view === 'email' ? <EmailChange onBack={back} /> : null}
        {view === 'phone' ? (
          <Suspense fallback={null}>
            <PhoneChange onBack={back} />
          </Suspense>
        ) : null}
      </DialogContent>
    </>
  )
}
