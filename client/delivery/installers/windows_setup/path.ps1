# Adds this folder to the user's Path, or takes it out. Other entries stay as they are written.
param([ValidateSet('add', 'remove')][string]$Action)
$key = [Microsoft.Win32.Registry]::CurrentUser.CreateSubKey('Environment')
$path = [string]$key.GetValue('Path', '', 'DoNotExpandEnvironmentNames')
$entries = @($path -split ';' | Where-Object { $_ -and $_ -ne $PSScriptRoot })
if ($Action -eq 'add') { $entries += $PSScriptRoot }
if ($entries) {
    $key.SetValue('Path', ($entries -join ';'), 'ExpandString')
} else {
    $key.DeleteValue('Path', $false)
}
$key.Close()
