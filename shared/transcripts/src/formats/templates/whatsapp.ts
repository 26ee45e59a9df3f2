import { createTemplates } from './template.ts';

const withDot = (lines: readonly string[]): readonly string[] => lines.flatMap((line) => [line, `${line}.`]);
const each = (kinds: readonly string[], gone: string): readonly string[] => kinds.map((kind) => kind + gone);

/** What iOS and Android write in the place of a file that is not in the export. */
const OMITTED: readonly string[] = [
  ...each(['image', 'video', 'audio', 'sticker', 'GIF', 'document', 'video note', 'Contact card', 'photo'], ' omitted'),
  ...each(['imagen', 'Tarjeta de contacto'], ' omitida'),
  ...each(['video', 'vídeo', 'audio', 'sticker', 'GIF', 'documento'], ' omitido'),
  ...each(['Bild', 'Video', 'Audio', 'Sticker', 'GIF', 'Dokument', 'Kontaktkarte', 'Videonotiz'], ' weggelassen'),
  ...each(['image', 'vidéo', 'fiche contact'], ' absente'),
  ...each(['image', 'vidéo', 'fiche contact'], ' omise'),
  ...each(['audio', 'sticker', 'document', 'GIF'], ' omis'),
  ...each(['imagem', 'figurinha'], ' ocultada'),
  ...each(['imagem', 'figurinha'], ' omitida'),
  ...each(['vídeo', 'áudio', 'documento', 'GIF'], ' ocultado'),
  ...each(['áudio'], ' omitido'),
  'immagine omessa',
  ...each(['video', 'audio', 'adesivo', 'documento', 'GIF'], ' omesso'),
  ...each(['afbeelding', 'video', 'audio', 'sticker', 'GIF', 'document', 'contactkaart'], ' weggelaten'),
  ...each(['görüntü', 'video', 'ses', 'Çıkartma', 'GIF', 'belge'], ' dahil edilmedi'),
  ...each(['изображение', 'видео', 'аудио', 'стикер', 'GIF', 'документ'], ' отсутствует'),
  ...each(['画像', '動画', '音声', 'ステッカー', 'GIF', 'ドキュメント'], 'は含まれていません'),
  ...each(['이미지', '동영상', '오디오', '스티커', 'GIF', '문서'], ' 생략됨'),
  ...each(['图像', '图片', '视频', '音频', '贴图', '文件', 'GIF'], '已忽略'),
  ...each(['圖片', '影片', '視訊', '音訊', '貼圖', '文件', 'GIF'], '已略過'),
];
/** `report.pdf • 2 pages document omitted`. */
const DOCUMENTS = [
  ...['{file} • {duration} document omitted', '{file} • {duration} documento omitido'],
  ...['{file} • {duration} Dokument weggelassen', '{file} • {duration} document omis'],
];
const MEDIA: readonly string[] = [
  ...[
    '<Media omitted>',
    '<Medien ausgeschlossen>',
    '<Medien weggelassen>',
    '<Multimedia omitido>',
    '<Archivo omitido>',
  ],
  ...['<Médias omis>', '<Fichier omis>', '<Mídia oculta>', '<Arquivo de mídia oculto>', '<Ficheiro não revelado>'],
  ...['<Media omessi>', '<Media weggelaten>', '<Medya dahil edilmedi>', '<Без медиафайлов>', '<Файл пропущен>'],
  ...[
    '<Медіа пропущено>',
    '<メディアは含まれていません>',
    '<メディアなし>',
    '<미디어 파일을 제외한 텍스트 내용>',
    '<미디어 파일 제외됨>',
  ],
  ...['<媒体已忽略>', '<未包含媒体>', '<省略多媒体文件>', '<省略多媒體檔案>', '<已略過媒體>', '<Pominięto multimedia>'],
  ...[
    '<Media tidak disertakan>',
    '<המדיה לא נכללה>',
    '<تم استبعاد الوسائط>',
    '<Mediafiler utelämnades>',
    '<Media har utelämnats>',
  ],
  ...[
    '<Mediefil udeladt>',
    '<Media utelatt>',
    '<Média vynechány>',
    '<Fără fișiere media>',
    '<Media omise>',
    '<Παραλείφθηκαν πολυμέσα>',
  ],
  'null',
];
/** What Android writes after the name of a file that is in the export. */
const ATTACHED = [
  ...['file attached', 'Datei angehängt', 'archivo adjunto', 'fichier joint', 'fichier attaché', 'arquivo anexado'],
  ...['ficheiro anexado', 'file allegato', 'bestand bijgevoegd', 'dosya ekli', 'ekli dosya', 'файл добавлен'],
  ...['файл прикреплено', '添付ファイル', '파일 첨부됨', '文件附件', '附件', '檔案附件', 'הקובץ מצורף', 'קובץ מצורף'],
  ...['ملف مرفق', 'الملف مرفق', 'plik załączony', 'załączony plik', 'file terlampir', 'tệp đính kèm'],
  ...['fil bifogad', 'fil vedhæftet', 'fil vedlagt', 'fișier atașat', 'přiložený soubor', 'συνημμένο αρχείο'],
].flatMap((words) => [`{file} (${words})`, `{file}（${words}）`, `{file} （${words}）`]);
const PLACES = [
  ...['location', 'Standort', 'ubicación', 'localisation', 'localização', 'posizione', 'locatie', 'konum'],
  ...['местоположение', '位置', '位置情報', '場所', '위치', 'מיקום', 'الموقع', 'lokalizacja', 'lokasi'],
].flatMap((word) => [`${word}: https://maps.google.com/?q={place}`, `${word}：https://maps.google.com/?q={place}`]);

const CALLS: readonly string[] = [
  ...['missed voice call', 'missed video call', 'missed group voice call', 'missed group video call'],
  ...['missed group call', 'silenced voice call', 'silenced video call', 'missed voice call, Tap to call back'],
  ...['voice call, {duration}', 'video call, {duration}', 'voice call, No answer', 'video call, No answer'],
  ...['verpasster Sprachanruf', 'verpasster Videoanruf', 'Sprachanruf, {duration}', 'Videoanruf, {duration}'],
  ...['llamada de voz perdida', 'videollamada perdida', 'llamada de voz grupal perdida', 'videollamada grupal perdida'],
  ...['chamada de voz perdida', 'chamada de vídeo perdida', 'appel vocal manqué', 'appel vidéo manqué'],
  ...['chiamata vocale persa', 'videochiamata persa', 'gemiste spraakoproep', 'gemiste video-oproep'],
  ...['gemiste videooproep', 'cevapsız sesli arama', 'cevapsız görüntülü arama', 'пропущенный аудиозвонок'],
  ...[
    'пропущенный видеозвонок',
    '音声通話の不在着信',
    'ビデオ通話の不在着信',
    '不在着信の音声通話',
    '不在着信のビデオ通話',
  ],
  ...['부재중 음성통화', '부재중 영상통화', '부재중 음성 통화', '부재중 영상 통화', '未接语音通话', '未接视频通话'],
  ...[
    '语音通话未接',
    '视频通话未接',
    '未接語音通話',
    '未接視像通話',
    '未接視訊通話',
    '语音通话，{duration}',
    '视频通话，{duration}',
  ],
  ...['שיחה קולית שלא נענתה', 'שיחת וידאו שלא נענתה', 'live location shared', 'live-Standort wird geteilt'],
  ...['ubicación en tiempo real compartida', 'localização em tempo real compartilhada'],
  ...['posizione in tempo reale condivisa', 'posizione attuale condivisa', 'localisation en direct partagée'],
];
const DELETED: readonly string[] = [
  ...['this message was deleted', 'you deleted this message', 'you deleted this message as admin'],
  ...['this message was deleted by admin {name}', 'waiting for this message. This may take a while'],
  ...[
    '此消息已删除',
    '此消息已被删除',
    '此消息已被管理员{name}删除',
    '此消息已由管理员{name}删除',
    '你删除了这条消息',
    '您删除了这条消息',
  ],
  ...[
    '你删除了此消息',
    '您删除了此消息',
    '您已删除此消息',
    '你已删除此消息',
    '你已刪除此訊息',
    '您已刪除此訊息',
    '您已刪除這則訊息',
  ],
  ...[
    '你已刪除這則訊息',
    '此訊息已刪除',
    '此訊息已被刪除',
    '這則訊息已刪除',
    '這則訊息已被刪除',
    'diese Nachricht wurde gelöscht',
  ],
  ...[
    'du hast diese Nachricht gelöscht',
    'se eliminó este mensaje',
    'eliminaste este mensaje',
    'este mensaje fue eliminado',
  ],
  ...['ce message a été supprimé', 'vous avez supprimé ce message', 'mensagem apagada', 'esta mensagem foi apagada'],
  ...['essa mensagem foi apagada', 'esta mensagem foi eliminada', 'mensagem eliminada', 'você apagou esta mensagem'],
  ...['apagou esta mensagem', 'eliminou esta mensagem', 'questo messaggio è stato eliminato'],
  ...['hai eliminato questo messaggio', 'dit bericht is verwijderd', 'u hebt dit bericht verwijderd'],
  ...['je hebt dit bericht verwijderd', 'jij hebt dit bericht verwijderd', 'bu mesaj silindi', 'bu mesajı sildiniz'],
  ...['данное сообщение удалено', 'вы удалили данное сообщение', 'это сообщение удалено'],
  ...['це повідомлення видалено', 'це повідомлення було видалено', 'ви видалили це повідомлення'],
  ...[
    'このメッセージは削除されました',
    'メッセージを削除しました',
    'このメッセージを削除しました',
    'あなたはこのメッセージを削除しました',
  ],
  ...[
    '삭제된 메시지입니다',
    '이 메시지를 삭제했습니다',
    '회원님이 메시지를 삭제했습니다',
    'ta wiadomość została usunięta',
  ],
  ...['usunięto tę wiadomość', 'usunąłeś tę wiadomość', 'usunęłaś tę wiadomość', 'detta meddelande togs bort'],
  ...['du tog bort detta meddelande', 'denne meldingen ble slettet', 'du slettet denne meldingen'],
  ...['denne besked blev slettet', 'du slettede denne besked', 'pesan ini telah dihapus', 'anda menghapus pesan ini'],
  ...['anda telah menghapus pesan ini', 'tin nhắn này đã bị xóa', 'tin nhắn này đã bị xoá', 'bạn đã xóa tin nhắn này'],
  ...[
    'bạn đã xoá tin nhắn này',
    'تم حذف هذه الرسالة',
    'لقد حذفت هذه الرسالة',
    'قمت بحذف هذه الرسالة',
    'لقد قمت بحذف هذه الرسالة',
  ],
  ...['این پیام حذف شد', 'הודעה זו נמחקה', 'מחקת הודעה זו', 'यह मैसेज डिलीट कर दिया गया है', 'यह मैसेज डिलीट कर दिया गया'],
  ...['यह संदेश हटा दिया गया', 'यह संदेश हटा दिया गया है', 'आपने यह मैसेज डिलीट किया', 'आपने यह संदेश हटा दिया'],
  ...[
    'αυτό το μήνυμα διαγράφηκε',
    'acest mesaj a fost șters',
    'tato zpráva byla odstraněna',
    'tato zpráva byla smazána',
  ],
  'ezt az üzenetet törölték',
];

/** What WhatsApp writes in place of a message, in somebody's name. */
export const findWhatsappNotice = createTemplates({
  media: [...withDot(OMITTED), ...DOCUMENTS, ...MEDIA, ...ATTACHED, ...PLACES],
  'system message': withDot(CALLS),
  'deleted message': [...withDot(DELETED), ...DELETED.map((line) => `${line}。`)],
});

/** The line of a file that is in the export, which may stand above words. */
export const findWhatsappFile = createTemplates({ media: ATTACHED });

/** Lines of nobody that may have a colon, and so a name, in them: what somebody called the group stands there. */
export const findWhatsappGroupNotice = createTemplates({
  'system message': withDot([
    ...['{name} created group "{title}"', '{name} created this group', '{name} changed the subject to "{title}"'],
    ...['{name} changed the subject from "{title}" to "{title}"', '{name} changed the group name to "{title}"'],
    '{name} changed the group name from "{title}" to "{title}"',
    '{name} turned on disappearing messages. New messages will disappear{title}',
    ...['{name} hat die Gruppe "{title}" erstellt', '{name} hat den Betreff von "{title}" zu "{title}" geändert'],
    ...[
      '{name} hat den Betreff zu "{title}" geändert',
      '{name} hat den Gruppennamen von "{title}" zu "{title}" geändert',
    ],
    ...['{name} creó el grupo "{title}"', '{name} cambió el asunto de "{title}" a "{title}"'],
    ...['{name} cambió el asunto a "{title}"', '{name} cambió el nombre del grupo de "{title}" a "{title}"'],
    ...['{name} a créé le groupe "{title}"', '{name} a changé le sujet de "{title}" à "{title}"'],
    ...['{name} a changé le sujet en "{title}"', '{name} a changé le nom du groupe de "{title}" à "{title}"'],
    ...['{name} criou o grupo "{title}"', '{name} mudou o assunto de "{title}" para "{title}"'],
    ...['{name} mudou o nome do grupo de "{title}" para "{title}"', '{name} ha creato il gruppo "{title}"'],
    ...['{name} ha cambiato l’oggetto da "{title}" a "{title}"', '{name} heeft de groep "{title}" gemaakt'],
    ...['{name} heeft het onderwerp gewijzigd van "{title}" naar "{title}"', '{name} "{title}" grubunu oluşturdu'],
    ...['{name} создал(-а) группу "{title}"', '{name} создал(а) группу "{title}"', '{name}创建了群组"{title}"'],
    ...[
      '{name}建立了群組"{title}"',
      '{name}将群组名称从"{title}"改为"{title}"',
      '{name}将主题从"{title}"更改为"{title}"',
    ],
    ...['{name} יצר/ה את הקבוצה "{title}"', '{name} שינה/תה את שם הקבוצה מ-"{title}" ל-"{title}"'],
    ...['{name}さんがグループ"{title}"を作成しました', '{name}님이 "{title}" 그룹을 만들었습니다'],
  ]),
});

/** What stands at the end of words that were changed later. */
export const EDITED: readonly string[] = [
  ...['<This message was edited>', '<Diese Nachricht wurde bearbeitet.>', '<Diese Nachricht wurde bearbeitet>'],
  ...[
    '<Se editó este mensaje.>',
    '<Se editó este mensaje>',
    '<Ce message a été modifié>',
    '<Ce message a été modifié.>',
  ],
  ...['<Mensagem editada>', '<Esta mensagem foi editada>', '<Questo messaggio è stato modificato>'],
  ...['<Dit bericht is bewerkt>', '<Bu mesaj düzenlendi>', '<Данное сообщение изменено>', '<Это сообщение изменено>'],
  ...[
    '<已编辑此消息>',
    '<此消息已编辑>',
    '<此訊息已編輯>',
    '<已編輯此訊息>',
    '<このメッセージは編集されました>',
    '<이 메시지는 수정되었습니다>',
  ],
  ...[
    '<Wiadomość została zmieniona>',
    '<Wiadomość edytowana>',
    '<Detta meddelande har redigerats>',
    '<Pesan ini diedit>',
  ],
  ...['<Tin nhắn này đã được chỉnh sửa>', '<ההודעה נערכה>', '<הודעה זו נערכה>', '<تم تعديل هذه الرسالة>'],
];
/** `<attached: x.jpg>` of iOS, where its mark of direction was lost. */
export const ATTACHED_WORDS: readonly string[] = [
  ...['attached', 'Anhang', 'adjunto', 'pièce jointe', 'pièce jointe ', 'anexado', 'allegato', 'bijgevoegd', 'eklendi'],
  ...['вложено', '添付ファイル', '첨부', '附件', 'מצורף', 'مرفق'],
];
