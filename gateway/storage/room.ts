/** With less free space the disk counts as full. (PostgreSQL's write-ahead log grows in steps of 16 MB.) */
export const usualLeastRoomBytes = 64 * 1024 * 1024;
