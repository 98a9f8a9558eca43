import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink } from 'react-router'
import { IconButton } from '@/components/IconButton'
import { BackupIcon } from '@/components/icons/BackupIcon'
import { FolderIcon } from '@/components/icons/FolderIcon'
import { GroupIcon } from '@/components/icons/GroupIcon'
import { KeyIcon } from '@/components/icons/KeyIcon'
import { LockIcon } from '@/components/icons/LockIcon'
import { SettingsIcon } from '@/components/icons/SettingsIcon'
import { ShareIcon } from '@/components/icons/ShareIcon'
import { ShieldIcon } from '@/components/icons/ShieldIcon'
import { SyncIcon } from '@/components/icons/SyncIcon'
import { TransfersIcon } from '@/components/icons/TransfersIcon'
import { UploadIcon } from '@/components/icons/UploadIcon'
import { TesseraMark } from '@/components/TesseraMark'
import { formatBytes } from '@/i18n/format'
import { visible } from '@/lib/visible'
import styles from './ClientFrame.module.css'
import { post } from './api'
import { usePageState } from './client-state'
import { kitProblem } from './kit-problem'
import { TransferBar } from './transfers/TransferBar'
import { Name } from './Name'

export function ClientFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation('client')
  const state = usePageState()
  const active = state.transfers.filter((item) => !['done', 'cancelled'].includes(item.state)).length
  const failedBackups = state.backups?.rows.filter((row) => row.lastRun?.code || row.lastRun?.failed).length ?? 0
  const failedFolders = state.folders?.rows.filter((row) => row.conflicts > 0 || row.state === 'failed').length ?? 0
  const problems = state.health?.warehouses.filter((item) => item.isPlaced && item.status === 0).length ?? 0
  return (
    <div className={styles.frame}>
      <header className={styles.side}>
        <div className={styles.brand}>
          <TesseraMark size={26} />
          <span>Tessera</span>
        </div>
        <nav className={styles.menu} aria-label={t('menu.label')}>
          <Entry to="/files" icon={<FolderIcon />} text={t('menu.files')} />
          <Entry to="/transfers" icon={<TransfersIcon />} text={t('menu.transfers')} count={active} />
          <Entry
            to="/folders"
            icon={<SyncIcon />}
            text={t('menu.folders')}
            count={failedFolders}
            note={t('menu.failedFolders', { count: failedFolders })}
          />
          <Entry
            to="/backups"
            icon={<BackupIcon />}
            text={t('menu.backups')}
            count={failedBackups}
            note={t('menu.failedBackups', { count: failedBackups })}
          />
          <Entry to="/shares" icon={<ShareIcon />} text={t('menu.shares')} />
          <Entry to="/requests" icon={<UploadIcon />} text={t('menu.requests')} />
          {state.account?.isLeader ? <Entry to="/team" icon={<GroupIcon />} text={t('menu.team')} /> : null}
          <Entry
            to="/health"
            icon={<ShieldIcon />}
            text={t('menu.health')}
            count={problems}
            note={problems > 0 ? t('menu.problems', { count: problems }) : undefined}
          />
          {state.account?.isLeader ? (
            <Entry
              to="/recovery-kit"
              icon={<KeyIcon />}
              text={t('menu.kit')}
              count={kitProblem(state.health) ? 1 : 0}
              note={t('menu.kitProblem')}
            />
          ) : null}
          <Entry to="/settings" icon={<SettingsIcon />} text={t('menu.settings')} />
        </nav>
        <Quota />
        <div className={styles.person}>
          <span className={styles.names}>
            <strong>
              <Name>{state.account?.name}</Name>
            </strong>
            <span dir="auto">{state.account?.device}</span>
          </span>
          <IconButton label={t('menu.lock')} onClick={() => void post('/lock')}>
            <LockIcon />
          </IconButton>
        </div>
      </header>
      <div className={styles.content}>
        {state.problem ? (
          <p role="status" className={styles.notice}>
            {state.problem.code === 'unreachable' ? t('offline.banner') : visible(state.problem.message)}
          </p>
        ) : null}
        <main className={styles.main}>{children}</main>
        <TransferBar />
      </div>
    </div>
  )
}

type EntryProps = { to: string; icon: ReactNode; text: string; count?: number; note?: string | undefined }

function Entry({ to, icon, text, count = 0, note }: EntryProps) {
  return (
    <NavLink to={to} title={text} className={styles.entry ?? ''}>
      {icon}
      <span className={styles.text}>{text}</span>
      {count > 0 ? (
        <span className={styles.count} aria-label={note}>
          {count}
        </span>
      ) : null}
    </NavLink>
  )
}

const TILES = 25

/** One tile stands for a twenty-fifth of the plan: 1 GB of the 25. */
function Quota() {
  const { t } = useTranslation('client')
  const { usage } = usePageState()
  if (!usage) return null
  const full = Math.min(TILES, Math.ceil((usage.used / Math.max(usage.quota, 1)) * TILES))
  return (
    <div className={styles.quota}>
      <strong>{t('quota.used', { used: formatBytes(usage.used), quota: formatBytes(usage.quota) })}</strong>
      <span className={styles.tiles} aria-hidden>
        {Array.from({ length: TILES }, (_, index) => (
          <span key={index} className={styles.tile} data-full={index < full} />
        ))}
      </span>
      <span className={styles.quotaNote}>
        {usage.left === 0 ? t('quota.reached') : t('quota.left', { left: formatBytes(usage.left) })}
      </span>
    </div>
  )
}
