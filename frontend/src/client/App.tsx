import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, Route, Routes } from 'react-router'
import { EmptyState } from '@/components/EmptyState'
import { ErrorState } from '@/components/ErrorState'
import { Spinner } from '@/components/Spinner'
import { visible } from '@/lib/visible'
import styles from './App.module.css'
import { ClientFrame } from './ClientFrame'
import { usePage } from './client-state'

const LoginPage = lazy(() => import('./start/LoginPage'))
const PasswordResetPage = lazy(() => import('./start/PasswordResetPage'))
const UnlockPage = lazy(() => import('./start/UnlockPage'))
const WaitingPage = lazy(() => import('./start/WaitingPage'))
const FilesPage = lazy(() => import('./files/FilesPage'))
const TrashPage = lazy(() => import('./files/TrashPage'))
const HistoryPage = lazy(() => import('./history/HistoryPage'))
const MomentPage = lazy(() => import('./history/MomentPage'))
const SpacePage = lazy(() => import('./space/SpacePage'))
const TransfersPage = lazy(() => import('./transfers/TransfersPage'))
const BackupsPage = lazy(() => import('./backups/BackupsPage'))
const FoldersPage = lazy(() => import('./folders/FoldersPage'))
const ConflictsPage = lazy(() => import('./folders/ConflictsPage'))
const RequestsPage = lazy(() => import('./requests/RequestsPage'))
const SharesPage = lazy(() => import('./shares/SharesPage'))
const TeamPage = lazy(() => import('./team/TeamPage'))
const HealthPage = lazy(() => import('./HealthPage'))
const KitPage = lazy(() => import('./KitPage'))
const SettingsPage = lazy(() => import('./SettingsPage'))

export function App() {
  return (
    <Suspense fallback={<Waiting />}>
      <Phase />
    </Suspense>
  )
}

function Phase() {
  const { t } = useTranslation('client')
  const { state, isLost } = usePage()
  if (isLost) {
    return (
      <main className={styles.center}>
        <EmptyState art="error" heading="h1" title={t('ended.title')} text={t('ended.text')} />
      </main>
    )
  }
  if (!state) return <Waiting />
  if (state.phase === 'starting') {
    if (state.problem?.code === 'keys_reset') return <PasswordResetPage />
    return state.problem ? (
      <main className={styles.center}>
        <ErrorState heading="h1" title={t('offline.title')} text={visible(state.problem.message)} />
      </main>
    ) : (
      <Waiting />
    )
  }
  if (state.phase === 'loggedOut') return <LoginPage />
  if (state.phase === 'locked') return <UnlockPage />
  if (state.phase === 'waiting') return <WaitingPage />
  return (
    <ClientFrame>
      <Suspense fallback={<Waiting />}>
        <Routes>
          <Route path="/files/:space?/*" element={<FilesPage />} />
          <Route path="/trash/:space/*" element={<TrashPage />} />
          <Route path="/history/:space" element={<HistoryPage />} />
          <Route path="/history/:space/:sequence/:time/*" element={<MomentPage />} />
          <Route path="/space/:space" element={<SpacePage />} />
          <Route path="/transfers" element={<TransfersPage />} />
          <Route path="/backups" element={<BackupsPage />} />
          <Route path="/folders" element={<FoldersPage />} />
          <Route path="/folders/:id/conflicts" element={<ConflictsPage />} />
          <Route path="/requests" element={<RequestsPage />} />
          <Route path="/shares" element={<SharesPage />} />
          {state.account?.isLeader ? <Route path="/team" element={<TeamPage />} /> : null}
          <Route path="/health" element={<HealthPage />} />
          {state.account?.isLeader ? <Route path="/recovery-kit" element={<KitPage />} /> : null}
          <Route path="/settings" element={<SettingsPage />} />
          <Route path="*" element={<Navigate to="/files" replace />} />
        </Routes>
      </Suspense>
    </ClientFrame>
  )
}

function Waiting() {
  const { t } = useTranslation()
  return (
    <main className={styles.center} aria-busy aria-label={t('wait')}>
      <Spinner />
    </main>
  )
}
