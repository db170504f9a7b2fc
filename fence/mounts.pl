# The kernel's calls, by number, as perl has no names for them without modules, which take 4 to 15 ms to load.
# Linux 5.12 or newer, x86_64 and arm64. Every function answers undef, or the error as a number with a text.
use strict;

# 39 is getpid on x86_64. On arm64 it is umount2, which refuses a null pointer.
my $is_x64 = syscall(39, 0, 0) == $$;
my ($UNSHARE, $MOUNT, $PRCTL, $SETNS, $CLOSE, $UMOUNT) =
  $is_x64 ? (272, 165, 157, 308, 3, 166) : (97, 40, 167, 268, 57, 39);
# The same number on both, as all calls since 2019.
my ($OPEN_TREE, $MOVE_MOUNT, $MOUNT_SETATTR) = (428, 429, 442);

my ($AT_FDCWD, $AT_EMPTY_PATH, $AT_RECURSIVE) = (-100, 0x1000, 0x8000);
my ($TREE_CLONE, $TREE_CLOEXEC) = (1, 02000000);
my ($FROM_EMPTY_PATH, $TO_EMPTY_PATH) = (0x4, 0x40);
my ($NEW_MOUNTS, $NEW_USER) = (0x20000, 0x10000000);
my ($SLAVE, $RECURSIVE, $DETACH) = (1 << 19, 16384, 2);
my ($READ_ONLY, $CAP_SYS_ADMIN, $DROP_FROM_BOUNDING_SET) = (1, 21, 24);
my $nothing = "\0";

sub clone_of {
  my $path = "$_[0]\0";
  return syscall($OPEN_TREE, $AT_FDCWD, $path, $TREE_CLONE | $TREE_CLOEXEC | $AT_RECURSIVE);
}

sub attach {
  my ($tree, $to) = @_;
  my $path = "$to\0";
  my $failed = syscall($MOVE_MOUNT, $tree, $nothing, $AT_FDCWD, $path, $FROM_EMPTY_PATH) < 0;
  my $why = $failed ? $! : undef;
  syscall($CLOSE, $tree);
  return $why;
}

# Set before it is attached, so that it is never writable for a moment.
sub bind_with {
  my ($path, $set, $clear) = @_;
  my $tree = clone_of($path);
  return $! if $tree < 0;
  my $attributes = pack 'Q4', $set, $clear, 0, 0;
  if (syscall($MOUNT_SETATTR, $tree, $nothing, $AT_EMPTY_PATH | $AT_RECURSIVE, $attributes, 32) < 0) {
    my $why = $!;
    syscall($CLOSE, $tree);
    return $why;
  }
  return attach($tree, $path);
}

sub make_read_only { return bind_with($_[0], $READ_ONLY, 0) }
sub make_writable { return bind_with($_[0], 0, $READ_ONLY) }

# A mount point can be neither renamed nor removed.
sub pin {
  my $tree = clone_of($_[0]);
  return $tree < 0 ? $! : attach($tree, $_[0]);
}

sub take_off {
  my $path = "$_[0]\0";
  return syscall($UMOUNT, $path, $DETACH) < 0 ? $! : undef;
}

# As root a mount namespace; else one inside a user namespace in which everybody is who they were.
sub enter_namespace {
  my ($user, $group) = ($>, (split ' ', $))[0]);
  if (syscall($UNSHARE, $NEW_MOUNTS) < 0) {
    return "unshare: $!" if syscall($UNSHARE, $NEW_MOUNTS | $NEW_USER) < 0;
    for (['setgroups', 'deny'], ['uid_map', "$user $user 1"], ['gid_map', "$group $group 1"]) {
      my ($name, $text) = @$_;
      open my $file, '>', "/proc/self/$name" or return "$name: $!";
      defined syswrite $file, $text or return "$name: $!";
    }
  }
  my $root = "/\0";
  return syscall($MOUNT, $nothing, $root, $nothing, $RECURSIVE | $SLAVE, 0) < 0 ? "mount: $!" : undef;
}

sub join_namespace {
  my ($namespaces) = @_;
  for my $kind ('user', 'mnt') {
    next if (readlink("/proc/self/ns/$kind") // '') eq (readlink("$namespaces/$kind") // '');
    open my $file, '<', "$namespaces/$kind" or return "$kind: $!";
    return "setns $kind: $!" if syscall($SETNS, fileno $file, 0) < 0;
  }
  return undef;
}

# Of root alone: nobody else has it after exec. Without it no mount can be undone, and no other sandbox be built.
sub drop_mount_rights {
  syscall($PRCTL, $DROP_FROM_BOUNDING_SET, $CAP_SYS_ADMIN, 0, 0, 0) if $> == 0;
}

sub namespace_number {
  my ($number) = (readlink($_[0]) // '') =~ /(\d+)/;
  return $number;
}

# Shorter paths first: what lies in a held directory comes on top of it. Answers the first failure, and what was done.
sub build {
  my ($fenced, $keep, $pinned) = @_;
  my (@done, $failure);
  my @steps = (
    (map { [\&pin, 'A', $_] } sort { length $a <=> length $b } @$pinned),
    (map { [\&make_read_only, 'F', $_] } sort { length $a <=> length $b } @$fenced),
    (map { [\&make_writable, 'W', $_] } @$keep),
  );
  for (@steps) {
    my ($make, $kind, $path) = @$_;
    my $why = $make->($path);
    if (!defined $why) { push @done, "$kind$path" }
    # 2, 20: it is not there (yet), so there is nothing to fence.
    elsif ($why != 2 && $why != 20) { $failure //= "$path: $why" }
  }
  return ($failure, @done);
}

1;
