import { useTranslation } from 'react-i18next'
import { CheckField, Field, SelectField } from '@/components/forms/Field'
import type { Backup } from '../client-state'

const SCHEDULES = ['hour', 'day', 'week'] as const
const REMIND_AFTER = [1, 3, 7, 14, 30]

export type Rules = Pick<Backup, 'isWatched' | 'every' | 'at' | 'remindAfter'> & { exclude: string }

type Props = { rules: Rules; onChange: (rules: Rules) => void }

/** What adding and editing a backup have in common. */
export function RuleFields({ rules, onChange }: Props) {
  const { t } = useTranslation('client')
  const change = (patch: Partial<Rules>) => onChange({ ...rules, ...patch })
  const { every, remindAfter } = rules
  // The command line takes any number.
  const days = [...new Set([...REMIND_AFTER, ...(remindAfter ? [remindAfter] : [])])].sort((a, b) => a - b)
  return (
    <>
      <Field
        label={t('backups.patterns')}
        hint={t('backups.patternsHint')}
        value={rules.exclude}
        dir="ltr"
        spellCheck={false}
        onChange={({ target }) => change({ exclude: target.value })}
      />
      <CheckField
        label={t('backups.watch')}
        checked={rules.isWatched}
        onChange={({ target }) => change({ isWatched: target.checked })}
      />
      <SelectField
        label={t('backups.schedule')}
        hint={every ? t('backups.scheduleHint') : undefined}
        value={every ?? ''}
        onChange={({ target }) => change({ every: SCHEDULES.find((name) => name === target.value) ?? null })}
      >
        <option value="">{t('backups.noSchedule')}</option>
        {SCHEDULES.map((name) => (
          <option key={name} value={name}>
            {t(`backups.schedules.${name}`)}
          </option>
        ))}
      </SelectField>
      {every === 'day' || every === 'week' ? (
        <Field
          label={t('backups.at')}
          type="time"
          dir="ltr"
          value={rules.at || '00:00'}
          onChange={({ target }) => change({ at: target.value })}
        />
      ) : null}
      <SelectField
        label={t('backups.remind')}
        hint={remindAfter ? t('backups.remindHint') : undefined}
        value={remindAfter ?? ''}
        onChange={({ target }) => change({ remindAfter: Number(target.value) || null })}
      >
        <option value="">{t('settings.never')}</option>
        {days.map((count) => (
          <option key={count} value={count}>
            {t('backups.days', { count })}
          </option>
        ))}
      </SelectField>
    </>
  )
}

/** The rules as the program takes them. */
export function bodyOf({ exclude, isWatched, every, at, remindAfter }: Rules) {
  const patterns = exclude.split(/[,،]/).map((each) => each.trim())
  return { exclude: patterns, isWatched, every, at, remindAfter }
}
