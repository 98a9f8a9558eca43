import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog, DialogContent, DialogTitle } from '@/components/dialog/Dialog'
import { useUser } from '@/hooks/use-session'
import { EmailChange } from './profile/EmailChange'
import { ProfileForm, type ProfileView } from './profile/ProfileForm'

// The table of the world's phone numbers comes only when one is going to be typed.
const PhoneChange = lazy(() => import('./profile/PhoneChange'))

type Props = { open: boolean; onClose: () => void }

export default function ProfileDialog({ open, onClose }: Props) {
  return (
    <Dialog open={open} onClose={onClose}>
      <Content onClose={onClose} />
    </Dialog>
  )
}

/** Apart from the dialog, so that it starts afresh each time it is opened. */
function Content({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['auth', 'errors'])
  const user = useUser()
  const [view, setView] = useState<ProfileView>('main')
  if (!user) return null
  const back = () => setView('main')
  return (
    <>
      <DialogTitle>{t(`profile.title.${view}`)}</DialogTitle>
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
