import { useNavigate } from 'react-router'
import { sessionStore } from '@/api/session'

/** Tells the server, ends the session here whatever it answers, and shows the login page. */
export function useLogout(): () => void {
  const navigate = useNavigate()
  return () => {
    sessionStore.signOut('loggedOut')
    void navigate('/login', { replace: true })
  }
}
