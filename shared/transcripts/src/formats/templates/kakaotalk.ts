import { createTemplates } from './template.ts';

/** What KakaoTalk writes in place of a message, in Korean and English. */
export const findKakaoNotice = createTemplates({
  media: [
    ...['이모티콘', '(이모티콘)', '사진', '사진 {number}장', '동영상', '음성메시지', '지도', '연락처', '파일: {file}'],
    ...[
      '<사진 읽지 않음>',
      '<동영상 읽지 않음>',
      'Emoticon',
      'Emoticons',
      '(Emoticon)',
      'Photo',
      'Photos',
      'Photo {number}',
    ],
    ...[
      'Photos {number}',
      '{number} photos',
      'Video',
      'Voice Note',
      'Voice message',
      'Map',
      'Contact',
      'File: {file}',
      '{hash}',
    ],
  ],
  'system message': [
    ...[
      '보이스톡 해요',
      '페이스톡 해요',
      '그룹콜 해요',
      '보이스톡 취소',
      '페이스톡 취소',
      '보이스톡 부재중',
      '페이스톡 부재중',
    ],
    ...[
      '보이스톡 응답 없음',
      '페이스톡 응답 없음',
      '보이스톡 {time}',
      '페이스톡 {time}',
      '그룹콜 {time}',
      '그룹콜 시작',
    ],
    ...[
      '그룹콜 종료',
      'Voice Call {time}',
      'Video Call {time}',
      'Group Call {time}',
      'Missed Voice Call',
      'Missed Video Call',
    ],
  ],
  'deleted message': [
    ...['삭제된 메시지입니다.', 'This message was deleted.', 'This message has been deleted.'],
    ...['The message has been deleted.', 'The message was deleted.', '관리자가 메시지를 가렸습니다.'],
  ],
});

/** Lines that tell of somebody: of nobody where that is one of the chat. */
export const KAKAO_MEMBERS: readonly RegExp[] = [
  /^(?<name>.{1,60})님이 (?:들어왔습니다|나갔습니다)\.?$/u,
  /^(?<name>.{1,60})님을 (?:초대했습니다|내보냈습니다)\.?$/u,
  /^(?<name>.{1,60}?)님이 .{1,60}님을 초대(?:했|하였)습니다\.?$/u,
  /^(?<name>.{1,60}?) (?:has )?(?:joined|left) this chatroom\.?$/u,
];
