#!/usr/bin/perl
# Where namespaces are forbidden (containers): Landlock, in a closed fence only. It knows no "all but this file", so every
# directory on the way to a held file is frozen: its other files can be rewritten in place, but nothing in it can be
# made, renamed or removed. It cannot be changed while it runs. Linux 5.19 or newer, x86_64 and arm64.
#   landlock.pl run HELD ME RUN MODE SHELL ARG...      landlock.pl probe
use strict;

# Set by pre.sh, for this program alone.
delete $ENV{PERL_BADLANG} if ($ENV{PERL_BADLANG} // 'set') eq '';

my ($here) = $0 =~ m{^(.*)/}s;
require "$here/held.pl";

my ($CREATE, $ADD_RULE, $RESTRICT) = (444, 445, 446);
my $PRCTL = syscall(39, 0, 0) == $$ ? 157 : 167;
my $NO_NEW_PRIVILEGES = 38;
my $O_PATH = 010000000;
my ($WRITE, $TRUNCATE) = (1 << 1, 1 << 14);
# Removing and making directories, files, devices, links; moving between directories.
my $ENTRIES = 0x1ff0 | 1 << 13;
my $ALL = $WRITE | $TRUNCATE | $ENTRIES;

my ($command, $held, $me, $run, $mode, @shell) = @ARGV;
if ($command eq 'probe') {
  # The version of the interface; truncating is known from the third on.
  my $version = syscall($CREATE, 0, 0, 1);
  print $version >= 3 ? "yes\n" : 'no: ' . ($version < 0 ? $! : "version $version") . "\n";
  exit($version >= 3 ? 0 : 1);
}

my ($fenced) = wanted($held, $me, $mode);
my $failure = %$fenced ? restrict(keys %$fenced) : undef;
if (defined $failure && $mode eq 'closed') {
  print STDERR "guard: the fence could not be built ($failure), so the command was not run. See guard doctor.\n";
  exit 126;
}
$ENV{GUARD_FENCED} = $$;
$ENV{GUARD_FENCE_ERROR} = $failure if defined $failure;
exec { $shell[0] } @shell;
print STDERR "guard: $shell[0]: $!\n";
exit 127;

sub restrict {
  my %held = map { $_ => 1 } @_;
  my $attributes = pack 'Q', $ALL;
  my $rules = syscall($CREATE, $attributes, 8, 0);
  return "landlock: $!" if $rules < 0;
  my %frozen;
  for my $path (keys %held) {
    while ($path =~ s{/[^/]*\z}{}) { $frozen{ $path eq '' ? '/' : $path } = 1 }
  }
  delete @frozen{ grep { $held{$_} } keys %frozen };
  for my $dir (keys %frozen) {
    opendir my $open, $dir or next;
    for my $name (readdir $open) {
      next if $name eq '.' || $name eq '..';
      my $path = $dir eq '/' ? "/$name" : "$dir/$name";
      next if $held{$path} || $frozen{$path} || -l $path;
      allow($rules, $path, -d _ ? $ALL : $WRITE | $TRUNCATE);
    }
  }
  syscall($PRCTL, $NO_NEW_PRIVILEGES, 1, 0, 0, 0);
  return syscall($RESTRICT, $rules, 0) < 0 ? "landlock: $!" : undef;
}

sub allow {
  my ($rules, $path, $rights) = @_;
  sysopen(my $open, $path, $O_PATH) or return;
  my $rule = pack 'Ql', $rights, fileno $open;
  syscall($ADD_RULE, $rules, 1, $rule, 0);
}
