import { useNavigate } from 'react-router'
import { sessionStore } from '@/api/session'
import InactivityDialog from '@/features/auth/InactivityDialog'
import VerificationDialog from '@/features/auth/VerificationDialog'

export default function SessionDialogs() {
  const navigate = useNavigate()
  return (
    <>
      <VerificationDialog />
      <InactivityDialog
        onLogout={() => {
          sessionStore.signOut('loggedOut')
          void navigate('/login', { replace: true })
        }}
      />
    </>
  )
}
