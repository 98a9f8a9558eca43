import { useNavigate } from 'react-router'
import { sessionStore } from '@/api/session'
import InactivityDialog from '@/features/auth/InactivityDialog'
import VerificationDialog from '@/features/auth/VerificationDialog'
import { StyleProviders } from './StyleProviders'

export default function SessionDialogs() {
  const navigate = useNavigate()
  return (
    <StyleProviders>
      <VerificationDialog />
      <InactivityDialog
        onLogout={() => {
          sessionStore.signOut('loggedOut')
          void navigate('/login', { replace: true })
        }}
      />
    </StyleProviders>
  )
}
