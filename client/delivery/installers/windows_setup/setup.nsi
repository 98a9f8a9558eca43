; The setup program for Windows; windows.py compiles it. Needs VERSION, PRODUCT_VERSION, FILES (the
; lists of files to install and to remove), ICON and OUTPUT. SIGN is the command that signs a file.
Unicode true
!include LogicLib.nsh
!include MUI2.nsh
!include x64.nsh
!include "${FILES}"

; $0 is 0 if it was done. Windows that are opened from then on see the change.
!macro ChangePath action
  nsExec::ExecToLog 'powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File "$INSTDIR\path.ps1" ${action}'
  Pop $0
  SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=5000
!macroend

!define UNINSTALL_KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Tessera"

Name "Tessera"
OutFile "${OUTPUT}"
InstallDir "$LOCALAPPDATA\Programs\Tessera"
InstallDirRegKey HKCU "${UNINSTALL_KEY}" "InstallLocation"
RequestExecutionLevel user
SetCompressor /SOLID lzma
; The same files give the same bytes.
SetDateSave off
CRCCheck force

!ifdef SIGN
  !uninstfinalize '${SIGN} "%1"' = 0
  !finalize '${SIGN} "%1"' = 0
!endif

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!ifdef SIGN
  !define MUI_WELCOMEPAGE_TEXT "$(WELCOME)"
!else
  !define MUI_WELCOMEPAGE_TEXT "$(WELCOME)$(UNSIGNED)"
!endif
!define MUI_FINISHPAGE_RUN "$INSTDIR\tess.exe"
!define MUI_FINISHPAGE_RUN_PARAMETERS "ui"
!define MUI_FINISHPAGE_RUN_TEXT "$(OPEN_PAGE)"
!insertmacro MUI_PAGE_WELCOME
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "Turkish"
!insertmacro MUI_LANGUAGE "Arabic"
!include texts.nsh

VIProductVersion "${PRODUCT_VERSION}"
VIAddVersionKey /LANG=0 "ProductName" "Tessera"
VIAddVersionKey /LANG=0 "FileDescription" "Tessera Setup"
VIAddVersionKey /LANG=0 "FileVersion" "${VERSION}"
VIAddVersionKey /LANG=0 "ProductVersion" "${VERSION}"
VIAddVersionKey /LANG=0 "LegalCopyright" "Apache License 2.0"

Function .onInit
  ${IfNot} ${RunningX64}
    MessageBox MB_OK|MB_ICONSTOP "$(NEEDS_64_BIT)" /SD IDOK
    SetErrorLevel 1
    Quit
  ${EndIf}
FunctionEnd

Section
  ; A version before this one may have files that this one has not.
  ${If} ${FileExists} "$INSTDIR\uninstall.exe"
    ExecWait '"$INSTDIR\uninstall.exe" /S _?=$INSTDIR' $0
    ${If} $0 <> 0
      DetailPrint "$(IN_USE)"
      MessageBox MB_OK|MB_ICONEXCLAMATION "$(IN_USE)" /SD IDOK
      SetErrorLevel 1
      Abort
    ${EndIf}
  ${EndIf}
  !insertmacro InstallFiles
  SetOutPath "$INSTDIR"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortCut "$SMPROGRAMS\Tessera.lnk" "$INSTDIR\tess.exe" "ui" "$INSTDIR\tessera.ico" 0 SW_SHOWMINIMIZED
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayName" "Tessera"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayIcon" "$INSTDIR\tessera.ico"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "Publisher" "Tessera"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL_KEY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoRepair" 1
  !insertmacro ChangePath add
  ${If} $0 != 0
    DetailPrint "$(NO_PATH)"
  ${EndIf}
  nsExec::ExecToLog '"$INSTDIR\tess.exe" service install'
  Pop $0
  ${If} $0 != 0
    DetailPrint "$(NO_SERVICE)"
  ${EndIf}
SectionEnd

Section Uninstall
  nsExec::ExecToLog '"$INSTDIR\tess.exe" service remove'
  Pop $0
  nsExec::ExecToLog '"$INSTDIR\tess.exe" ui --stop'
  Pop $0
  ${Do}
    ClearErrors
    Delete "$INSTDIR\tess.exe"
    ${IfNot} ${Errors}
      ${Break}
    ${EndIf}
    MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(IN_USE)" /SD IDCANCEL IDRETRY again
    SetErrorLevel 1
    Abort
    again:
  ${Loop}
  !insertmacro ChangePath remove
  ; Each file by its name: the folder may have been chosen with /D, and hold what is not ours.
  !insertmacro RemoveFiles
  Delete "$INSTDIR\uninstall.exe"
  SetOutPath "$TEMP"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Tessera.lnk"
  DeleteRegKey HKCU "${UNINSTALL_KEY}"
SectionEnd
