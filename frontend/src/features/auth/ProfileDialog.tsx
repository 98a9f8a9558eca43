import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog, DialogContent, DialogTitle } from '@/components/dialog/Dialog'
import { Term } from '@/components/Term'
import { useUser } from '@/hooks/use-session'
import { EmailChange } from './profile/EmailChange'
import { ProfileForm, type ContactKind } from './profile/ProfileForm'

// The table of countries is loaded only when a phone number is changed.
const PhoneChange = lazy(() => import('./profile/PhoneChange'))
const SixWords = lazy(() => import('./profile/SixWords'))

export default function ProfileDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['auth', 'security', 'company', 'errors'])
  const user = useUser()
  const [change, setChange] = useState<{ kind: ContactKind | 'words'; proposed: string } | null>(null)
  if (!user) return null
  const back = () => setChange(null)
  return (
    <Dialog onClose={onClose}>
      <DialogTitle aside={change?.kind === 'words' ? <Term name="sixWords" /> : null}>
        {change?.kind === 'words' ? t('security:words.title') : t(`profile.title.${change?.kind ?? 'main'}`)}
      </DialogTitle>
      <DialogContent>
        {change === null ? (
          <ProfileForm
            user={user}
            onChange={(kind, proposed) => setChange({ kind, proposed })}
            onWords={() => setChange({ kind: 'words', proposed: '' })}
            onClose={onClose}
          />
        ) : null}
        {change?.kind === 'email' ? <EmailChange proposed={change.proposed} onBack={back} /> : null}
        <Suspense fallback={null}>
          {change?.kind === 'phone' ? <PhoneChange proposed={change.proposed} onBack={back} /> : null}
          {change?.kind === 'words' ? <SixWords user={user} onBack={back} /> : null}
        </Suspense>
      </DialogContent>
    </Dialog>
  )
}
