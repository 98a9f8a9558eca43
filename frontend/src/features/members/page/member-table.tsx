import type { TFunction } from 'i18next'
import { DeleteIcon } from '@/components/icons/DeleteIcon'
import { DisableIcon } from '@/components/icons/DisableIcon'
import { EditIcon } from '@/components/icons/EditIcon'
import { ShieldIcon } from '@/components/icons/ShieldIcon'
import type { Icon } from '@/components/icons/create-icon'
import { EnableIcon } from '@/components/icons/EnableIcon'
import type { Column, FilterField, RowAction } from '@/components/table/column'
import { formatDate, formatDateTime, formatNumber, formatRelative } from '@/i18n/format'
import { UNKNOWN_LEADER, type Member } from '../api'
import type { MemberDialogKind } from './MemberDialogs'
import styles from './members.module.css'

type ContactProps = { value: string; pending: string | null | undefined; note: string; whole?: boolean }

/** A contact, left to right, with its unconfirmed change below. */
function Contact({ value, pending, note, whole }: ContactProps) {
  const [name, domain] = value.split(/(?=@)/)
  return (
    <span className={styles.contact}>
      <bdi dir="ltr" data-whole={whole}>
        {name}
        <wbr />
        {domain}
      </bdi>
      {pending ? (
        <span className={styles.pending}>
          {note} <bdi dir="ltr">{pending}</bdi>
        </span>
      ) : null}
    </span>
  )
}

const LABELS = 3

/** The directory's groups below a name: the first ones, and how many more. */
function Groups({ groups, t }: { groups: string[]; t: TFunction<'members'> }) {
  if (groups.length === 0) return null
  const all = t('groups.all', { names: groups.join(', ') })
  return (
    <span className={styles.groups} title={all} role="note" aria-label={all}>
      {groups.slice(0, LABELS).map((name) => (
        <bdi key={name} className="t-tag">
          {name}
        </bdi>
      ))}
      {groups.length > LABELS ? <span className="t-soft">+{formatNumber(groups.length - LABELS)}</span> : null}
    </span>
  )
}

export function memberColumns(t: TFunction<'members'>): Column<Member>[] {
  const marks = ({ role, isActive }: Member) => (
    <>
      {role === 'teamLeader' ? <span className={styles.leader}>{t('state.leader')}</span> : null}
      {isActive ? null : <span className={styles.disabled}>{t('state.disabled')}</span>}
    </>
  )
  return [
    {
      id: 'firstName',
      label: t('columns.firstName'),
      sortable: true,
      filter: { kind: 'text' },
      onCard: 'title',
      cell: ({ firstName }) => <bdi>{firstName}</bdi>,
      // Isolated as one piece, so that the order of both names does not depend on the page's direction.
      card: ({ firstName, lastName }) => <bdi>{`${firstName} ${lastName}`}</bdi>,
    },
    {
      id: 'lastName',
      label: t('columns.lastName'),
      sortable: true,
      filter: { kind: 'text' },
      onCard: 'title',
      width: 14,
      cell: (member) => (
        <span className={styles.name}>
          <bdi>{member.lastName}</bdi>
          {marks(member)}
          <Groups groups={member.groups} t={t} />
        </span>
      ),
      card: (member) => (
        <>
          {marks(member)}
          <Groups groups={member.groups} t={t} />
        </>
      ),
    },
    {
      id: 'email_address',
      label: t('columns.email_address'),
      sortable: true,
      filter: { kind: 'text' },
      width: 24,
      cell: ({ email_address, pendingEmailAddress }) => (
        <Contact value={email_address} pending={pendingEmailAddress} note={t('pending')} />
      ),
    },
    {
      id: 'phoneNumber',
      label: t('columns.phoneNumber'),
      sortable: true,
      filter: { kind: 'text' },
      cell: ({ phoneNumber, pendingPhoneNumber }) => (
        <Contact whole value={phoneNumber} pending={pendingPhoneNumber} note={t('pending')} />
      ),
    },
    {
      id: 'dateCreated',
      label: t('columns.dateCreated'),
      sortable: true,
      filter: { kind: 'date' },
      width: 9,
      cell: ({ dateCreated }) => <span className={styles.whole}>{formatDate(dateCreated)}</span>,
    },
    {
      id: 'lastLogin',
      label: t('columns.lastLogin'),
      sortable: true,
      filter: { kind: 'date' },
      width: 9,
      cell: ({ lastLogin }) =>
        lastLogin ? (
          <time className={styles.whole} dateTime={lastLogin} title={formatDateTime(lastLogin)}>
            {formatRelative(lastLogin)}
          </time>
        ) : (
          <span className={styles.never}>{t('state.never')}</span>
        ),
    },
    {
      id: 'twoFactor',
      label: t('columns.twoFactor'),
      width: 5,
      cell: ({ twoStep }) => t(`twoFactor.${twoStep}`),
    },
  ]
}

/** Shown in the name's cell, so it is no column of its own. */
export function statusField(t: TFunction<'members'>): FilterField {
  const choices = [
    { value: 'true', label: t('state.enabled') },
    { value: 'false', label: t('state.disabled') },
  ]
  return { name: 'isActive', label: t('columns.isActive'), choices }
}

type Rights = {
  manages: boolean
  leads: boolean
  leaderId: string | typeof UNKNOWN_LEADER
  onOpenDialog: (kind: MemberDialogKind) => void
}

/** The team leader cannot be disabled, removed or made team leader. */
export function memberActions(t: TFunction<'members'>, member: Member, rights: Rights): RowAction[] {
  const { manages, leads, leaderId, onOpenDialog } = rights
  const isLeader = member.role === 'teamLeader' || member.uuid === leaderId
  const action = (kind: MemberDialogKind, label: string, Icon: Icon): RowAction => ({
    id: kind,
    label,
    Icon,
    onSelect: () => onOpenDialog(kind),
  })
  return [
    ...(manages ? [action('edit', t('actions.edit'), EditIcon)] : []),
    ...(manages && !isLeader
      ? [
          member.isActive
            ? action('status', t('actions.disable'), DisableIcon)
            : action('status', t('actions.enable'), EnableIcon),
        ]
      : []),
    ...(leads && leaderId !== UNKNOWN_LEADER && !isLeader && member.isActive
      ? [action('lead', t('actions.lead'), ShieldIcon)]
      : []),
    ...(manages && !isLeader ? [{ ...action('remove', t('actions.remove'), DeleteIcon), destructive: true }] : []),
  ]
}
