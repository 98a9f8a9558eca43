import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { CheckField, SelectField } from '@/components/forms/Field'
import { chooseLanguage, languageOptions } from '@/components/LanguageSelect'
import { PageHeader } from '@/components/PageHeader'
import { formatNumber } from '@/i18n/format'
import { currentLanguage } from '@/i18n/i18n'
import { settingsStore, useSettings } from '@/lib/settings'
import styles from './page.module.css'
import { post } from './api'
import { usePageState } from './client-state'
import { Failure } from './Failure'
import { useCall } from './use-call'
import { Name } from './Name'

const RATES = [500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000]
const MINUTES = [5, 15, 30, 60]
const THEMES = ['system', 'light', 'dark'] as const

export default function SettingsPage() {
  const { t } = useTranslation('client')
  const { settings, account, version } = usePageState()
  const { theme } = useSettings()
  const { run, isPending, error } = useCall()
  const change = (patch: Partial<typeof settings>) => void run(() => post('/settings', { ...settings, ...patch }))
  return (
    <div className={styles.page}>
      <PageHeader title={t('menu.settings')} />
      <section className={`t-card ${styles.fields}`}>
        <SelectField
          label={t('settings.language')}
          value={currentLanguage()}
          onChange={({ target }) => chooseLanguage(target.value)}
        >
          {languageOptions}
        </SelectField>
        <SelectField
          label={t('settings.theme')}
          value={theme}
          onChange={({ target }) => {
            const chosen = THEMES.find((name) => name === target.value)
            if (chosen) settingsStore.update({ theme: chosen })
          }}
        >
          {THEMES.map((name) => (
            <option key={name} value={name}>
              {t(`settings.themes.${name}`)}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t('settings.bandwidth')}
          value={settings.bandwidth ?? ''}
          disabled={isPending}
          onChange={({ target }) => change({ bandwidth: Number(target.value) || null })}
        >
          <option value="">{t('settings.unlimited')}</option>
          {RATES.map((rate) => (
            <option key={rate} value={rate}>
              {t('settings.rate', { rate: formatNumber(rate / 1_000_000) })}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t('settings.lock')}
          value={settings.lockAfter ?? ''}
          disabled={isPending}
          onChange={({ target }) => change({ lockAfter: Number(target.value) || null })}
        >
          <option value="">{t('settings.never')}</option>
          {MINUTES.map((minutes) => (
            <option key={minutes} value={minutes}>
              {t('settings.minutes', { count: minutes })}
            </option>
          ))}
        </SelectField>
        <CheckField
          label={t('settings.notifications')}
          checked={settings.notifications}
          disabled={isPending}
          onChange={({ target }) => change({ notifications: target.checked })}
        />
        <Failure text={error?.text} />
      </section>
      <section className="t-card">
        <h2>
          <Name>{account?.name}</Name>
        </h2>
        <p className="t-soft">
          <Name dir="ltr">{account?.email}</Name> · <Name>{account?.company}</Name>
        </p>
        <p className="t-soft">
          <Name dir="ltr">{account?.origin}</Name> · {t('start.version')} <bdi dir="ltr">{version}</bdi>
        </p>
        <div className="t-line">
          <Button variant="outlined" danger disabled={isPending} onClick={() => void run(() => post('/logout'))}>
            {t('unlock.logOut')}
          </Button>
        </div>
      </section>
    </div>
  )
}
