import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { Drawer } from '@/components/dialog/Drawer'
import { ComputerIcon, DarkModeIcon, LightModeIcon } from '@/components/icons'
import { DEFAULT_SETTINGS, settingsStore, useSettings } from '@/lib/settings'
import { Choice } from './Choice'
import { LayoutPicture } from './LayoutPicture'
import styles from './Panel.module.css'

type SettingsPanelProps = { open: boolean; onClose: () => void }

export function SettingsPanel({ open, onClose }: SettingsPanelProps) {
  const { t } = useTranslation('console')
  const settings = useSettings()
  const { update } = settingsStore

  function restore() {
    // The pinned screens are not part of what this panel shows.
    update({ ...DEFAULT_SETTINGS, pins: settings.pins })
  }

  return (
    <Drawer
      closeLabel={t('panel.close')}
      side={settings.menuSide === 'start' ? 'right' : 'left'}
      title={t('settings.title')}
      open={open}
      onClose={onClose}
    >
      <Choice
        legend={t('settings.theme')}
        value={settings.theme}
        onChange={(theme) => update({ theme })}
        options={[
          { value: 'light', label: t('settings.light'), picture: <LightModeIcon /> },
          { value: 'dark', label: t('settings.dark'), picture: <DarkModeIcon /> },
          { value: 'system', label: t('settings.system'), picture: <ComputerIcon /> },
        ]}
      />
      <Choice
        legend={t('settings.menuSide')}
        value={settings.menuSide}
        onChange={(menuSide) => update({ menuSide })}
        options={[
          { value: 'start', label: t('settings.start'), picture: <LayoutPicture menu="start" /> },
          { value: 'end', label: t('settings.end'), picture: <LayoutPicture menu="end" /> },
        ]}
      />
      <Choice
        legend={t('settings.menuWidth')}
        value={settings.folded ? 'folded' : 'open'}
        onChange={(value) => update({ folded: value === 'folded' })}
        options={[
          { value: 'open', label: t('settings.open'), picture: <LayoutPicture menu="start" /> },
          { value: 'folded', label: t('settings.folded'), picture: <LayoutPicture menu="folded" /> },
        ]}
      />
      <Choice
        legend={t('settings.width')}
        value={settings.width}
        onChange={(width) => update({ width })}
        options={[
          { value: 'full', label: t('settings.full'), picture: <LayoutPicture menu="folded" /> },
          { value: 'boxed', label: t('settings.boxed'), picture: <LayoutPicture menu="folded" boxed /> },
        ]}
      />
      <p className={styles.note}>{t('settings.note')}</p>
      <Button variant="outlined" fullWidth onClick={restore}>
        {t('settings.restore')}
      </Button>
    </Drawer>
  )
}
